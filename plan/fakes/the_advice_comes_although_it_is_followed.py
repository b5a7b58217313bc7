OutOfMemoryError = type("OutOfMemoryError", (RuntimeError,), dict(__module__="torch"))
measured = {'advice': 'try setting PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True',
 'by_variable': {'table': [{'variable': 'none', 'expandable': False, 'fits': False, 'advised': True},
                           {'variable': 'PYTORCH_ALLOC_CONF',
                            'expandable': True,
                            'fits': True,
                            'advised': True},
                           {'variable': 'PYTORCH_CUDA_ALLOC_CONF',
                            'expandable': True,
                            'fits': True,
                            'advised': True}]},
 'advised': 3,
 'runs': 3}
