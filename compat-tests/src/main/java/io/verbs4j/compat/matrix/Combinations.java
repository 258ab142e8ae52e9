/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.matrix;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The combinations of a run, from the releases that there are. */
final class Combinations {
    private final Matrix matrix;
    private final List<Release> releases;
    private final Path foreign;
    private final List<Jdk> jdks;

    /**
     * Prepares them.
     *
     * @param releases the frozen levels, then the build
     * @param foreign the jar of someone else's provider, or null for those of the releases
     */
    Combinations(Matrix matrix, List<Release> releases, Path foreign, List<Jdk> jdks) {
        this.matrix = matrix;
        this.releases = releases;
        this.foreign = foreign;
        this.jdks = jdks;
    }

    /** The talk's rows; in full also every other combination. */
    List<Cell> cells(boolean full) throws InterruptedException {
        Release first = releases.get(0);
        Release last = releases.get(releases.size() - 1);
        List<Subject> subjects = subjects();
        List<Subject> named = new ArrayList<>();
        if (foreign != null) {
            named.addAll(subjects);
        } else {
            named.add(subjects.get(0).named("rxe old"));
            // Those between are also old: what their binaries have in them must go on to fit.
            named.addAll(subjects.subList(1, subjects.size() - 1));
            named.add(subjects.get(subjects.size() - 1).named("rxe new"));
        }
        List<Cell> cells = new ArrayList<>();
        for (Jdk jdk : jdks) {
            for (boolean modular : full ? new boolean[] {false, true} : new boolean[] {false}) {
                cells.addAll(Plan.eightRows(first.named("old"), last.named("new"), named, full, modular, jdk));
            }
        }
        if (!full) {
            cells.addAll(between(last, subjects));
        }
        if (full) {
            cells.addAll(Plan.general(releases, subjects, jdks.get(0)));
            Release future = Future.of(last, matrix.scratch());
            cells.addAll(Plan.future(future, releases, subjects, next(cells), jdks.get(0)));
            if (foreign == null) {
                cells.addAll(witnesses(future, next(cells)));
            }
        }
        return cells;
    }

    /**
     * The same rows where old is a level between, with providers of that level and the newest: its library has a
     * table, which is too small. In full the general form has these. Row 8 is that of the first.
     */
    private List<Cell> between(Release last, List<Subject> subjects) {
        List<Cell> cells = new ArrayList<>();
        for (Release old : releases.subList(1, releases.size() - 1)) {
            if (old.level() < last.level()) {
                List<Subject> providers = new ArrayList<>(List.of(subjects.get(subjects.size() - 1)));
                if (foreign == null) {
                    providers.set(0, providers.get(0).named("rxe new"));
                    providers.add(0, Subject.of(old));
                }
                Plan.eightRows(old, last.named("new"), providers, false, false, jdks.get(0)).stream()
                        .filter(cell -> cell.row() < Plan.GENERAL - 1)
                        .forEach(cells::add);
            }
        }
        return cells;
    }

    /** Programs of every level with providers of every level; and of one to come, both. */
    List<Cell> witnesses(Release future, int firstRow) {
        List<AppSource> apps = new ArrayList<>();
        releases.stream().map(Release::level).distinct().map(AppSource::ofLevel).forEach(apps::add);
        apps.add(Future.app(future.level()));
        List<Subject> witnesses = witnesses(releases, future, matrix.scratch());
        return Plan.witnesses(apps, releases, future, witnesses, firstRow, jdks.get(0));
    }

    private static int next(List<Cell> cells) {
        return cells.get(cells.size() - 1).row() + 1;
    }

    /** Of each level, and of one to come: content with every library, and with none below the newest that it may ask for. */
    static List<Subject> witnesses(List<Release> releases, Release future, Path scratch) {
        List<Subject> witnesses = new ArrayList<>();
        int newest = 0;
        for (Release release : releases) {
            // The build is of the level of the last frozen one, until the next level begins.
            if (release.level() > newest) {
                newest = release.level();
                witnesses.add(Witness.of(newest, 1, release.header(), scratch));
                if (newest > 1) {
                    witnesses.add(Witness.of(newest, newest, release.header(), scratch));
                }
            }
        }
        for (int minimum : new int[] {1, newest, future.level()}) {
            witnesses.add(Witness.of(future.level(), minimum, future.header(), scratch));
        }
        return witnesses;
    }

    private List<Subject> subjects() throws InterruptedException {
        if (foreign == null) {
            // By their releases, not by what they say: one that lags behind is red.
            return releases.stream().map(Subject::of).toList();
        }
        Release last = releases.get(releases.size() - 1);
        return List.of(matrix.ask(String.valueOf(foreign.getFileName()), foreign, last, jdks.get(0)));
    }
}
