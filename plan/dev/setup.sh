unset PYTHONDONTWRITEBYTECODE
export PYTHONUNBUFFERED=1
if [ ! -d /tmp/site ]; then
python3 -m pip install -q --no-index --no-deps --no-compile --target /tmp/site build/wh/*.whl || exit 9
python3 -m compileall -q -j 32 $(python3 -c "import torch,os;print(os.path.dirname(torch.__file__))") /tmp/site >/dev/null
fi
export PYTHONPATH=conf:/tmp/site PATH=/tmp/site/bin:$PATH
t0=$(date +%s); lap() { echo "LAP $1 $(( $(date +%s) - t0 )) s"; }
