/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.core.base;

import io.verbs4j.VerbsLevel;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Derives from a linkage error whether the provider and the loaded header are of different ages. If the header lacks
 * something that the provider was compiled with, the header is another one; if the provider lacks something that the
 * header asks for, or uses a name that the header has taken, the provider is older.
 */
public final class Misfit {
    private static final String HEADER_TYPE = "io[./]verbs4j[./](?:(?:spi|slot)[./])?[A-Z][\\w$]*";

    /** A method appears as "'result owner.name(parameters)'": only the owner matters, not the parameters. */
    private static final Pattern METHOD = Pattern.compile("(" + HEADER_TYPE + ")\\.[\\w$<>]+\\(");

    private static final Pattern CLASS =
            Pattern.compile("(?:Could not initialize class |Class )?" + HEADER_TYPE + "(?: .*)?");
    private static final Pattern OF_INTERFACE =
            Pattern.compile("(?s).*\\bof (?:interface|abstract class|class) " + HEADER_TYPE + "\\b.*");
    private static final Pattern NAMED = Pattern.compile("(?s).*\\b" + HEADER_TYPE + ".*");

    private Misfit() {}

    /**
     * Describes the mismatch and the remedy.
     *
     * @param providerLevel the level that the provider reports, or 0 if it was not asked yet
     * @return "" if the error is not about the header
     */
    public static String words(Throwable error, int providerLevel) {
        if (!(error instanceof LinkageError)) {
            return "";
        }
        String message = String.valueOf(error.getMessage());
        if (providerIsOlder(error, message)) {
            return "the provider was built for an older header (verbs-spi) than the loaded one, which is level "
                    + loaded()
                    + ": use a newer release of the provider, or align the versions of the io.verbs4j jars; the header"
                    + " is not at fault";
        }
        if (!headerLacks(error, message)) {
            return "";
        }
        if (providerLevel > 0 && providerLevel <= VerbsLevel.runtime()) {
            return "the loaded header (verbs-spi) is level " + loaded()
                    + ", and lacks that, but is not older than the"
                    + " provider, which is level " + providerLevel
                    + ": the provider was built with an unreleased header, or reports too low a"
                    + " level. Use a release of the provider, and align the versions of the io.verbs4j jars";
        }
        return "the loaded header (verbs-spi) is level " + loaded()
                + ", and lacks that: the provider was built for a newer one. Put the newest verbs-spi"
                + HeaderCheck.REMEDY;
    }

    private static String loaded() {
        return VerbsLevel.runtime() + ", from " + Origin.of(VerbsLevel.class);
    }

    private static boolean providerIsOlder(Throwable error, String message) {
        if (error instanceof AbstractMethodError) {
            return OF_INTERFACE.matcher(message).matches();
        }
        boolean missing = error instanceof NoSuchMethodError
                || error instanceof NoSuchFieldError
                || error instanceof NoClassDefFoundError;
        boolean refused = error instanceof IncompatibleClassChangeError || error instanceof VerifyError;
        return !missing && refused && NAMED.matcher(message).matches();
    }

    private static boolean headerLacks(Throwable error, String message) {
        if (error instanceof NoSuchMethodError) {
            Matcher method = METHOD.matcher(message);
            return method.find() && method.start() < message.indexOf('(');
        }
        return (error instanceof NoClassDefFoundError || error instanceof NoSuchFieldError)
                && CLASS.matcher(message).matches();
    }
}
