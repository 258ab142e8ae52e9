/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.matrix;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What the rules require of a combination.
 *
 * @param outcome the required outcome
 * @param words alternatives, one of which the message of {@link Outcome#EPROTO} or {@link Outcome#ASIDE} must contain
 * @param steps the required result of each step beyond level 1, by group and name
 */
public record Expectation(Outcome outcome, List<String> words, Map<String, Result> steps) {
    static final String WORKS = "works";

    /**
     * The required result of a step.
     *
     * @param status as the program prints it
     * @param words what the text after it must contain
     */
    public record Result(String status, String words) {}

    /** Derives the expectation from the levels of the parties alone. */
    public static Expectation of(Cell cell) {
        int loaded = cell.runtimeHeader().level();
        Subject provider = cell.provider();
        if (cell.app().level() > cell.header().level()) {
            return ending(Outcome.N, "cannot find symbol");
        }
        String remedy = "before it on the path, or align the versions of the io.verbs4j jars";
        if (cell.library().level() > loaded || provider.level() > loaded) {
            // Reported when the devices are listed: there are none, and an empty list would not say why.
            return ending(Outcome.EPROTO, remedy);
        }
        if (provider.minimumLibraryLevel() > cell.library().level()) {
            return ending(Outcome.ASIDE, "library too old");
        }
        if (cell.header().level() > loaded) {
            return ending(Outcome.EPROTO, remedy);
        }
        Map<String, Result> steps = new LinkedHashMap<>();
        for (Step step : cell.app().steps()) {
            steps.put(
                    step.group() + " " + step.name(),
                    of(step, cell.library().level() >= step.level(), provider.level() >= step.level()));
        }
        return new Expectation(Outcome.Y, List.of(), steps);
    }

    /** Derives the result of a step from whether library and provider have its verb. */
    static Result of(Step step, boolean library, boolean provider) {
        boolean there = library && provider;
        return switch (step.kind()) {
            case ALWAYS -> new Result(WORKS, "");
            case FALLS_BACK -> new Result(WORKS, there ? "extended" : "fall-back");
            case DEPENDENT -> new Result(there ? WORKS : "unreached", "");
            case MISSING -> there ? new Result(WORKS, "") : missing(library);
            case UNKNOWN_BIT ->
                there
                        ? new Result("EOPNOTSUPP", "the mask has bits that this library does not know")
                        : missing(library);
            case BIT_OF_THE_DEVICE -> there ? new Result("EOPNOTSUPP", step.verb() + ": EOPNOTSUPP") : missing(library);
            case PAST_THE_LIBRARY -> there ? new Result(WORKS, "") : new Result("EOPNOTSUPP", step.verb());
            case OPERATION -> new Result(WORKS, provider ? "" : "refused");
        };
    }

    private static Result missing(boolean library) {
        return library ? new Result("EOPNOTSUPP", "the device can't") : new Result("ENOSYS", "the library is too old");
    }

    private static Expectation ending(Outcome outcome, String... words) {
        return new Expectation(outcome, List.of(words), Map.of());
    }
}
