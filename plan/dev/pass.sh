# A pass over the four chapters. $1: seconds before it is told to end; $2: its name; $3: more -k, instead.
t0=$(date +%s); lap() { echo "LAP $1 $(( $(date +%s) - t0 )) s"; }
. .dev/setup.sh; lap setup
E="python3 -m evidence"
K=${3:--k precision/ -k graphs/ -k determinism/ -k several_gpus/}
rm -rf /tmp/docs; cp -r docs /tmp/docs
grep -rl "gpu == NVIDIA H" /tmp/docs --include=*.md | xargs sed -i 's/gpu == NVIDIA H200\( or NVIDIA H100 80GB HBM3\)\?/sm_90+/; s/gpu == NVIDIA H100 80GB HBM3/sm_90+/'
timeout -s INT $1 $E verify --docs /tmp/docs $K --processes 1 --json $OUT/$2.json > $OUT/$2.log 2>&1
echo rc $?; grep -v "holds$" $OUT/$2.log | tail -40 | cut -c1-400; lap $2
