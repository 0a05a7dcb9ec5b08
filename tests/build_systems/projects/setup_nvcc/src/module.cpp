#include <Python.h>

#include "scale.h"

static PyObject* scale_one(PyObject*, PyObject* arguments) {
  float value = 0, factor = 0;
  if (!PyArg_ParseTuple(arguments, "ff", &value, &factor)) return nullptr;
  if (scale(&value, factor, 1) != 0) {
    PyErr_SetString(PyExc_RuntimeError, "the GPU cannot be used");
    return nullptr;
  }
  return PyFloat_FromDouble(value);
}

static PyMethodDef methods[] = {{"scale", scale_one, METH_VARARGS, "Scale a number."}, {nullptr, nullptr, 0, nullptr}};
static PyModuleDef definition = {PyModuleDef_HEAD_INIT, "scale", nullptr, -1, methods};

PyMODINIT_FUNC PyInit_scale() { return PyModule_Create(&definition); }
