measured = {"tries": 20, "inside_changed": 20, "after_changed": 0, "backward_changed": True}
