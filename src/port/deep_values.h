/* What the expressions of a kernel are to the lanes of a wave: the same for all, growing from lane
   to lane, or anything else. */
#ifndef PORT_DEEP_VALUES_H
#define PORT_DEEP_VALUES_H

#include "port/deep.h"

typedef enum {
    PORT_FORM_OTHER,   /* of data, of quotients of the thread's number, not known */
    PORT_FORM_UNIFORM, /* the same for all threads along x */
    PORT_FORM_LINEAR   /* grows by x from one threadIdx.x to the next */
} port_form_kind_t;
typedef struct {
    uint8_t kind; /* port_form_kind_t */
    bool constant, scaled;
    int64_t value; /* UNIFORM and constant */
    int64_t x;     /* LINEAR and not scaled; scaled: by something that is not known */
} port_form_t;

#define PORT_DIMENSIONS_MAX 4u
/* A name of a function: a value, or an array or pointer with what it points to. */
typedef struct {
    const char *name;
    size_t n;
    port_form_t form;
    bool is_array, shared;
    uint32_t element_bytes; /* 0 = not known */
    uint32_t n_dimension;
    uint64_t dimension[PORT_DIMENSIONS_MAX]; /* 0 = not known */
} port_binding_t;

#define PORT_BINDINGS_MAX 512u
typedef struct {
    const port_tree_t *tree;
    port_binding_t *binding; /* (PORT_BINDINGS_MAX); the last of a name counts */
    uint32_t n;
} port_values_t;

/** NULL: no room. name: an identifier. */
port_binding_t *port_bind(port_values_t *values, port_node_t name, port_form_t form);
const port_binding_t *port_binding_of(const port_values_t *values, port_node_t name);
port_form_t port_form_of(const port_values_t *values, port_node_t expression, uint32_t depth);
port_form_t port_form_constant(int64_t value);
extern const port_form_t port_form_other, port_form_uniform;
/** Bytes of the type that a declaration names; 0: not known. */
uint32_t port_type_bytes(const port_values_t *values, port_node_t type);

#endif
