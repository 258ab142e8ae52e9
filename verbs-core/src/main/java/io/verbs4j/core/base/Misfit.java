/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.core.base;

import io.verbs4j.VerbsLevel;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What an error of linking tells of the ages of a provider and the header that is loaded. A header that lacks what the provider
 * was compiled with is another one; a provider that lacks what the header asks for, or has a name that the header has taken, is
 * the older of the two.
 */
public final class Misfit {
    private static final String HEADER_TYPE = "io[./]verbs4j[./](?:(?:spi|slot)[./])?[A-Z][\\w$]*";

    /** A method is told as "'result owner.name(parameters)'": whose it is counts, not what it takes. */
    private static final Pattern METHOD = Pattern.compile("(" + HEADER_TYPE + ")\\.[\\w$<>]+\\(");

    private static final Pattern CLASS =
            Pattern.compile("(?:Could not initialize class |Class )?" + HEADER_TYPE + "(?: .*)?");
    private static final Pattern OF_INTERFACE =
            Pattern.compile("(?s).*\\bof (?:interface|abstract class|class) " + HEADER_TYPE + "\\b.*");
    private static final Pattern NAMED = Pattern.compile("(?s).*\\b" + HEADER_TYPE + ".*");

    private Misfit() {}

    /**
     * What does not fit and the remedy.
     *
     * @param providerLevel the level that the provider tells, or 0 where it was not asked yet
     * @return "" where the error is not about the header
     */
    public static String words(Throwable error, int providerLevel) {
        if (!(error instanceof LinkageError)) {
            return "";
        }
        String message = String.valueOf(error.getMessage());
        if (providerIsOlder(error, message)) {
            return "the provider was built for an older header (verbs-spi) than the one that is loaded, which is of level "
                    + loaded() + ": take a newer release of the provider, or align the versions of the"
                    + " io.verbs4j jars; the header is not at fault";
        }
        if (!headerLacks(error, message)) {
            return "";
        }
        if (providerLevel > 0 && providerLevel <= VerbsLevel.runtime()) {
            return "the header (verbs-spi) that is loaded is of level " + loaded()
                    + ", and lacks that, but is not older than the"
                    + " provider, which is of level " + providerLevel
                    + ": the provider was built with a header that is no release, or tells too low a"
                    + " level. Take a release of the provider, and align the versions of the io.verbs4j jars";
        }
        return "the header (verbs-spi) that is loaded is of level " + loaded()
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
