# Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0
"""Runs the modules of pyverbs' tests on simulated devices, each in a process of its own; tests/pyverbs starts it."""
import concurrent.futures
import glob
import multiprocessing
import os
import re
import subprocess
import sys
import unittest

RUNS = {'mlx5': [], 'mlx5 `--lag`': ['--lag'], 'mlx5 `--infiniband`': ['--infiniband'], 'EFA': ['--vendors', 'efa']}
BEGIN, END = '<!-- release %s: made by tests/pyverbs --write -->', '<!-- end of the table -->'
# Tests that pass on some machines only: those with huge pages, a graphics card, or another device, and fast ones.
MACHINES = re.compile('huge|dmabuf|cuda|crypto|vfio|flow_meter', re.I)
# Tests of a release that fail, and why: they are neither a failure nor a pass.
KNOWN = {
    # TEST_AND_SET leaves 1, not all ones: corrected in rdma-core by c4f1885b4, "tests: Fix expected value after test_and_set atomic op".
    '44': ['Mlx5DmOpAddresses.test_dm_atomic_ops', 'Mlx5DmOpAddresses.test_parallel_dm_atomic_ops'],
}
# Those that want more packets in a second than a busy machine makes: they may fail.
FAST = ['Mlx5DrTest.test_flow_meter']
LINE = re.compile(r'^outcome (\S+) (passed|skipped|failed|error) ?(.*)$', re.M)


# -- one module, inside of `run` -------------------------------------------------------------------------------------------

class Outcomes(unittest.TestResult):
    """Tells what became of each test, in a line of its own."""

    def tell(self, test, outcome, why=''):
        print('\noutcome', test.id().split('.', 2)[-1], outcome, ' '.join(str(why).split()), flush=True)

    def addSuccess(self, test):
        self.tell(test, 'passed')

    def addSkip(self, test, reason):
        self.tell(test, 'skipped', reason)

    def addFailure(self, test, err):
        self.tell(test, 'failed', err[1])

    def addError(self, test, err):
        self.tell(test, 'error', repr(err[1]))

    def addSubTest(self, test, subtest, err):
        if err:
            self.tell(test, 'failed', err[1])


def run_module(module):
    from args_parser import parser
    multiprocessing.set_start_method('fork')  # which the tests are written for, and Python 3.14 does no more by itself
    parser.parse_args()
    tests = unittest.defaultTestLoader.loadTestsFromName('tests.' + module)
    print('tests', tests.countTestCases(), flush=True)
    tests.run(Outcomes())


# -- all of them -----------------------------------------------------------------------------------------------------------

def its_python(root):
    """The options of `run` for the release in this folder, its Python, and the environment for that. No folder: what is installed."""
    if not root:
        return [], sys.executable, None
    folder = os.path.join(root, 'pyverbs/usr')
    libraries = os.path.dirname(glob.glob(folder + '/lib/*/libpython3*.so.1.0')[0])
    environment = dict(os.environ, PYTHONHOME=folder, PYTHONPATH=folder + '/lib/python3/dist-packages', LD_LIBRARY_PATH=libraries)
    return ['--release-root', root], folder + '/bin/python3', environment


def run_in_process(here, work, root, known, module, name, again=True):
    """The outcomes of a module's tests on one kind of device: {test: outcome}, and what was wrong. On a busy machine one may take
    too long, so it has a second try."""
    options, python, environment = its_python(root)
    if 'rdmacm' in module:  # whose tests are of two processes, children of fork
        options = [*options, '--rendezvous', os.path.join(work, '%s-%s' % (module, re.sub(r'\W+', '-', name).strip('-')))]
    command = [os.path.join(here, 'run'), '--thread', '--devices', '2', *RUNS[name], *options, '--', python, '-B', '-W', 'ignore',
               os.path.abspath(__file__), '--module', module, work]
    try:
        said = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=100, errors='replace',
                              env=environment).stdout
    except subprocess.TimeoutExpired as e:
        if again:
            return run_in_process(here, work, root, known, module, name, False)
        said = (e.stdout or b'').decode(errors='replace') + '\nit took more than 100 s\n'
    with open(os.path.join(work, '%s-%s.log' % (module, re.sub(r'\W+', '-', name).strip('-'))), 'w') as log:
        log.write(said)
    lines = LINE.findall(said)
    announced = re.search(r'^tests (\d+)$', said, re.M)
    wrong = ['%s: %s' % (test, why) for test, outcome, why in lines
             if outcome in ('failed', 'error') and test not in known + FAST]
    wrong += ['%s passes, so pyverbs_runner.py need not know it' % test
              for test, outcome, why in lines if outcome == 'passed' and test in known]
    outcomes = {test: outcome for test, outcome, why in lines}
    if not announced or int(announced[1]) != len(outcomes):
        wrong.append('not all tests came to an end: ' + ' '.join(said.split()[-20:]))
    if 'device-sim: violation' in said:
        wrong.append('a violation: ' + said[said.index('device-sim: violation'):].split('\n')[0])
    return outcomes, wrong


def wants(work, root, module, name):
    """Those of mlx5's modules that are about nothing else are not run on EFA, of bonded ports and of InfiniBand only theirs. A second
    release is for what is new in it: of EFA only what speaks of it."""
    if name == 'EFA' and root:
        with open(os.path.join(work, 'tests', module + '.py')) as f:
            return re.search('SRD|efadv|efa_base', f.read())
    if name == 'EFA':
        return not module.startswith('test_mlx5')
    return name == 'mlx5' or module == {'mlx5 `--lag`': 'test_mlx5_lag_affinity'}.get(name, 'test_tag_matching')


def counts(modules, found):
    """Of each module, and of all: its tests, those that pass somewhere, and those of them that do by chance."""
    rows = {}
    for module in modules + ['test_all']:
        of = [m for m in modules if module in (m, 'test_all')]
        outcomes = {(m, test, outcome) for m in of for name in RUNS for test, outcome in found.get((m, name), ({}, []))[0].items()}
        passed = {(m, test) for m, test, outcome in outcomes if outcome == 'passed'}
        by_chance = [test for test in passed if MACHINES.search(' '.join(test))]
        if outcomes:
            rows[module[len('test_'):]] = (len({(m, test) for m, test, _ in outcomes}), len(passed), len(by_chance))
    return rows


def table(rows):
    lines = ['| module | tests | pass |', '|---|---|---|']
    return '\n'.join(lines + ['| `%s` | %d | %d |' % (module, tests, passed) for module, (tests, passed, _) in rows.items()])


def compare(here, release, rows, write):
    """What is not as the release's table says; what passes by chance need not be in it. None: it has no table."""
    path = os.path.join(here, 'README.md')
    with open(path) as f:
        text = f.read()
    begin = BEGIN % release
    if begin not in text:
        return None
    before, rest = text.split(begin)
    written, after = rest.split(END, 1)
    if write:
        with open(path, 'w') as f:
            f.write('%s%s\n%s\n%s%s' % (before, begin, table(rows), END, after))
        return []
    there = {module: (int(tests), int(passed)) for module, tests, passed in re.findall(r'^\| `(\w+)` \| (\d+) \| (\d+) \|', written, re.M)}
    differs = ['README.md has `%s`, which is not there' % module for module in there if module not in rows]
    for module, (tests, passed, by_chance) in rows.items():
        wanted = there.get(module, (0, 0))
        if wanted[0] != tests or not passed - by_chance <= wanted[1] <= passed:
            differs.append('of `%s` README.md has %d tests of which %d pass, it is %d of which %d do' % (module, *wanted, tests, passed))
    return differs


def main(here, work, release, root, *options):
    modules = sorted(f[:-3] for f in os.listdir(os.path.join(work, 'tests')) if re.match(r'test_.*\.py$', f))
    jobs = [(module, name) for name in RUNS for module in modules if wants(work, root, module, name)]
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        found = dict(zip(jobs, pool.map(lambda job: run_in_process(here, work, root, KNOWN.get(release, []), *job), jobs)))
    failed = 0
    for module in modules:
        wrong = [line for name in RUNS for line in found.get((module, name), ({}, []))[1]]
        failed += bool(wrong)
        print('pyverbs-%s %s: %s' % (release, module, 'FAILED' if wrong else 'ok'))
        for line in wrong:
            print('    ' + line)
    differs = compare(here, release, counts(modules, found), '--write' in options)
    if differs is None:
        print('pyverbs: there is no table of release %s' % release)
    else:
        failed += bool(differs)
        print('pyverbs-%s table: %s' % (release, 'FAILED, tests/pyverbs --write makes it anew' if differs else 'ok'))
        for line in differs:
            print('    ' + line)
    print('pyverbs-%s: %d modules, %d failed' % (release, len(modules), failed))
    return 1 if failed else 0


if sys.argv[1] == '--module':
    module, work = sys.argv[2:4]
    del sys.argv[1:]
    sys.path[:0] = [os.path.join(work, 'tests'), work]
    run_module(module)
else:
    sys.exit(main(*sys.argv[1:]))
