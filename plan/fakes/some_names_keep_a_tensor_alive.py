B = 2**26
R = {"a second name": (B, B, B, 0), "a view": (B, B, B, 0), "a copy of a view": (0, 0, 0, 0), "a graph": (B, B, B, 0), "a detached result": (0, 0, 0, 0), "a hook": (B, B, B, 0), "a loss after backward": (0, 0, 0, 0), "an exception": (B, B, B, 0), "a cycle": (B, B, 0, 0)}
measured = {"tensor_bytes": B, "by_kept": {"table": [dict(zip(("kept", "deleted_bytes", "emptied_bytes", "collected_bytes", "dropped_bytes"), (k, *v))) for k, v in R.items()]}}
