/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.matrix;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

/** Which combinations there are. */
public final class Plan {
    /** First row that is not from the talk. */
    public static final int GENERAL = 9;

    private Plan() {}

    /**
     * Returns the talk's eight rows with every provider, on one platform.
     *
     * @param old the release named old
     * @param present the release named new
     * @param providers the providers
     * @param everyHeader true to add each header that could be loaded instead of the newest, including misaligned ones
     */
    public static List<Cell> eightRows(
            Release old, Release present, List<Subject> providers, boolean everyHeader, boolean modular, Jdk jdk) {
        AppSource oldApp = AppSource.ofLevel(old.level()).named(old.name());
        AppSource newApp = AppSource.ofLevel(present.level()).named(present.name());
        List<Cell> cells = new ArrayList<>();
        for (Subject provider : providers) {
            int row = 0;
            for (AppSource app : List.of(oldApp, newApp)) {
                for (Release header : List.of(old, present)) {
                    for (Release library : List.of(old, present)) {
                        row++;
                        Release newest = newest(List.of(old, present), header, library, provider);
                        for (Release loaded : everyHeader ? List.of(old, present) : List.of(newest)) {
                            cells.add(new Cell(row, app, header, library, provider, loaded, modular, jdk));
                        }
                    }
                }
            }
        }
        return cells;
    }

    /** {@return every level with every other: program, header, library, provider, and header at run time} */
    public static List<Cell> general(List<Release> releases, List<Subject> providers, Jdk jdk) {
        TreeSet<Integer> levels = new TreeSet<>();
        releases.forEach(release -> levels.add(release.level()));
        List<AppSource> apps = levels.stream().map(AppSource::ofLevel).toList();
        return general(apps, releases, providers, jdk);
    }

    static List<Cell> general(List<AppSource> apps, List<Release> releases, List<Subject> providers, Jdk jdk) {
        List<Cell> cells = new ArrayList<>();
        int row = GENERAL;
        for (AppSource app : apps) {
            for (Release header : releases) {
                for (Release library : releases) {
                    for (Subject provider : providers) {
                        for (Release loaded : releases) {
                            cells.add(new Cell(row, app, header, library, provider, loaded, false, jdk));
                        }
                    }
                    row++;
                }
            }
        }
        return cells;
    }

    /** {@return a program of a future level, on every library} */
    static List<Cell> future(Release future, List<Release> libraries, List<Subject> providers, int firstRow, Jdk jdk) {
        List<Cell> cells = new ArrayList<>();
        int row = firstRow;
        for (Release library : libraries) {
            for (Subject provider : providers) {
                cells.add(new Cell(row, Future.app(future.level()), future, library, provider, future, false, jdk));
            }
            row++;
        }
        return cells;
    }

    /**
     * {@return programs of every level, with every library, and providers of any level and minimum, with the newest
     * header that one of them needs}
     */
    static List<Cell> witnesses(
            List<AppSource> apps,
            List<Release> releases,
            Release future,
            List<Subject> witnesses,
            int firstRow,
            Jdk jdk) {
        List<Release> headers = new ArrayList<>(releases);
        headers.add(future);
        List<Cell> cells = new ArrayList<>();
        int row = firstRow;
        for (AppSource app : apps) {
            Release header = headers.stream()
                    .filter(release -> release.level() >= app.level())
                    .findFirst()
                    .orElseThrow();
            for (Release library : releases) {
                for (Subject witness : witnesses) {
                    Release loaded = newest(headers, header, library, witness);
                    cells.add(new Cell(row, app, header, library, witness, loaded, false, jdk));
                }
                row++;
            }
        }
        return cells;
    }

    /** {@return the header that Maven's newest-wins rule would choose: no party has a newer one} */
    static Release newest(List<Release> releases, Release header, Release library, Subject provider) {
        Release newest = header.level() >= library.level() ? header : library;
        for (Release release : releases) {
            if (provider.level() > newest.level() && release.level() > newest.level()) {
                newest = release;
            }
        }
        return newest;
    }
}
