OutOfMemoryError = type("OutOfMemoryError", (RuntimeError,), dict(__module__="torch"))
measured = {'limit_bytes': 536870912,
 'block_bytes': 67108864,
 'blocks': 8,
 'reserved_bytes': 536870912,
 'names_the_limit': True,
 'message': 'CUDA out of memory. Tried to allocate 64.00 MiB',
 'product': OutOfMemoryError('CUDA out of memory. Tried to allocate 32.00 MiB'),
 'beyond_limit_bytes': {'samples': [587202560]},
 'free_beyond_limit': True,
 'other_blocks': 8,
 'option_blocks': 8,
 'unlimited_blocks': 20}
