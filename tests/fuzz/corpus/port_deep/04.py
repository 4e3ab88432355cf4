import torch.version as v, torch.backends.cudnn
from torch import *
def f(x=v.cuda):
  if v.hip is None: return torch.backends.cudnn.benchmark
	bad
