M = 2**20
measured = {"result_bytes": 64 * M, "peak_bytes": {"samples": [67 * M]}, "search_over_found_ratio": {"samples": [1.9]}, "other_search_over_found_ratio": {"samples": [1.8]}, "plain_stays_bytes": 0, "searched_stays_bytes": 0}
