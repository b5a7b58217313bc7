M = 2**20
measured = {"by_snapshot": {"table": [{"taken": "observer", "live_bytes": 220 * M}, {"taken": "in except", "live_bytes": 220 * M}, {"taken": "after", "live_bytes": 0}]},
 "held": {"table": [{"line": 1, "held_bytes": 100 * M}, {"line": 2, "held_bytes": 120 * M}]}, "asked_bytes": 90 * M, "observer_asked_bytes": 90 * M, "failed_in": "grow", "failed_line": 3}
