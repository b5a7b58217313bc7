# One call on four GPUs of machine B (time limit 600 s). $1: seconds for the lanes (e.g. 400).
t0=$(date +%s); lap() { echo "LAP $1 $(( $(date +%s) - t0 )) s"; }
. .dev/setup.sh
lap setup; touch /tmp/mark; sleep 1
nvidia-smi --query-gpu=name,driver_version,clocks.sm --format=csv,noheader; nproc
E="python3 -m evidence"; N=${1:-400}
lane() { CUDA_VISIBLE_DEVICES=$1 timeout -s INT $N $E record "${@:3}" > $OUT/lane_$2.log 2>&1; echo "lane $2 rc $?"; lap lane_$2; }
# What is timed has two GPUs of its own; the others wait for ranks, compile or capture.
lane 0,1 timed copies_run_both_ways_at_once ddp_gains_in_large_models some_operators_that_change_are_slower benchmark_may_pick_another_convolution &
lane 2,3 pairs ddp_is_captured_on_two_gpus a_barrier_takes_the_gpu_of_its_rank the_recorder_needs_no_variable detail_tells_only_the_first_rank some_operators_change_in_deterministic_mode &
wait
# With one GPU each, once the pairs have left theirs.
lane 2 graphs1 a_freed_graph_ends_a_capture a_graphed_callable_keeps_its_autocast &
lane 3 graphs2 a_moved_weight_is_recorded_anew a_graphed_callable_runs_no_inner_hooks &
wait
tar czf $OUT/records.tgz $(find examples -newer /tmp/mark -type f \( -name '*.json' -o -name '*.svg' \))
tail -n 25 $OUT/lane_*.log | cut -c1-300
lap end
