#!/bin/bash
# Attacks: two at once on each GPU, then, by themselves, those that take times. From the root of a tree:
#     bash .dev/attacks.sh            (OUT: where attacks/NAME.txt goes; LIMIT: seconds in all; ONLY: a pattern)
export HERE=$(cd "$(dirname "$0")" && pwd) OUT=${OUT:?} LIMIT=${LIMIT:-90} PYTHON=${PYTHON:-python3}
export BEGIN=$(date +%s)
mkdir -p "$OUT/attacks"
export BASE=${BASE:-0}
export GPUS=${GPUS:-$(nvidia-smi -L 2>/dev/null | grep -c '^GPU')}
# NAME seconds kind; a long one first, then those on two GPUs
SHARED="recorded_second_time 50 one
more_calls_open_gpu0 30 pair
attention_more 25 one
products_repeat_more 25 one
partial_sums_distinct 25 one
same_numbers_h100 20 one
same_row_every_row 20 one
scaled_mm_public 20 one"
ALONE="heavy_steps_dataparallel 28 pair
peaks_and_small_sizes 25 one
step_slowdown_small 20 one"

attack() {
  local name=$1 most=$2 kind=$3 left began gpu=$((${SLOT:-0} % (GPUS > 0 ? GPUS : 1)))
  local file=$OUT/attacks/$name.txt
  [[ -n $ONLY && ! $name =~ $ONLY ]] && return
  left=$((LIMIT - $(date +%s) + BEGIN))
  if [[ $kind == pair && $GPUS -lt 2 && $DEVICE != cpu ]]; then echo "NOT RUN: needs two GPUs" > "$file"
  elif ((left < 5)); then echo "NOT RUN: the time was over" > "$file"
  else
    gpu=$((BASE + gpu)); [[ $kind == pair ]] && gpu=$BASE,$((BASE + 1))
    began=$(date +%s)
    CUDA_DEVICE_ORDER=PCI_BUS_ID CUDA_VISIBLE_DEVICES=$gpu OMP_NUM_THREADS=${OMP_NUM_THREADS:-4} \
      timeout -k 2 $((most < left ? most : left)) $PYTHON "$HERE/attacks/$name.py" > "$file" 2>&1
    echo "rc=$? seconds=$(($(date +%s) - began)) gpu=$gpu" >> "$file"
  fi
  echo "$name: $(grep -E '^(HOLDS|REFUTED|ERROR|NOT RUN)' "$file" | tail -2 | cut -c1-400 | tr '\n' ' ') $(tail -1 "$file" | cut -c1-120)"
}
export -f attack
export ONLY DEVICE
echo "$SHARED" | xargs -P $((2 * (GPUS > 0 ? GPUS : 1))) --process-slot-var=SLOT -L1 bash -c 'attack "$@"' _
echo "$ALONE" | xargs -P 1 -L1 bash -c 'attack "$@"' _
echo "$(($(date +%s) - BEGIN)) s in all"
