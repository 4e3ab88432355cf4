from torch.backends import cudnn as backend
import torch.version as build
backend.benchmark = True
print(build.cuda, build.hip)
