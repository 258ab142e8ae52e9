/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.matrix;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The combinations of a run, made from the available releases. */
final class Combinations {
    private final Matrix matrix;
    private final List<Release> releases;
    private final Path foreign;
    private final List<Jdk> jdks;

    /**
     * Creates the object.
     *
     * @param releases the frozen levels, then the build
     * @param foreign the jar of a foreign provider, or null for the providers of the releases
     */
    Combinations(Matrix matrix, List<Release> releases, Path foreign, List<Jdk> jdks) {
        this.matrix = matrix;
        this.releases = releases;
        this.foreign = foreign;
        this.jdks = jdks;
    }

    /** {@return the talk's rows; with {@code full} also every other combination} */
    List<Cell> cells(boolean full) throws InterruptedException {
        Release first = releases.get(0);
        Release last = releases.get(releases.size() - 1);
        List<Subject> subjects = subjects();
        List<Subject> named = new ArrayList<>();
        if (foreign != null) {
            named.addAll(subjects);
        } else {
            named.add(subjects.get(0).named("rxe old"));
            // The releases between are old too: their binaries must keep working.
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
     * {@return the talk's rows with a level between as the old one, and providers of that level and the newest} The
     * library of that level has a table, which is too small. With {@code full} the general form includes these rows.
     * Row 8 is left out, because it is the same as the first level's.
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

    /** {@return programs of every level with providers of every level, and of a future level for both} */
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

    /**
     * {@return witnesses of each level, and of a future level: some accept every library, others require the newest
     * that they may}
     */
    static List<Subject> witnesses(List<Release> releases, Release future, Path scratch) {
        List<Subject> witnesses = new ArrayList<>();
        int newest = 0;
        for (Release release : releases) {
            // The build has the level of the last frozen release until the next level begins.
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
            // By their releases, not by what they report: a provider that lags behind is red.
            return releases.stream().map(Subject::of).toList();
        }
        Release last = releases.get(releases.size() - 1);
        return List.of(matrix.ask(String.valueOf(foreign.getFileName()), foreign, last, jdks.get(0)));
    }
}
