/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.core.discovery;

import io.verbs4j.Errno;
import io.verbs4j.VerbsException;
import io.verbs4j.core.base.Printable;
import java.util.concurrent.TimeUnit;

/**
 * How long to wait for a provider: to be created and identify itself, and each time to list its devices.
 *
 * @param nanos the time; {@link Long#MAX_VALUE} for no limit
 */
public record TimeLimit(long nanos) {
    static final String PROPERTY = "io.verbs4j.provider.timeout";

    private static final TimeLimit USUAL = new TimeLimit(TimeUnit.SECONDS.toNanos(30));
    private static final double NANOS_OF_SECOND = 1e9;

    /** The limit that the user has set, otherwise half a minute. */
    public static TimeLimit ofProperty() {
        String seconds = System.getProperty(PROPERTY);
        return seconds == null ? USUAL : parse(seconds);
    }

    private static TimeLimit parse(String text) {
        double seconds;
        try {
            seconds = Double.parseDouble(text.trim());
        } catch (NumberFormatException e) {
            seconds = -1;
        }
        if (!(seconds >= 0)) {
            throw new VerbsException(
                    Errno.EINVAL,
                    "get_device_list",
                    "-D" + PROPERTY + "=" + Printable.line(text) + ": must be a number of seconds; 0 sets no limit");
        }
        double nanos = seconds * NANOS_OF_SECOND;
        return new TimeLimit(seconds == 0 || nanos >= Long.MAX_VALUE ? Long.MAX_VALUE : Math.max(1, (long) nanos));
    }

    /** Says why a provider that has not answered is set aside, and what to do. */
    String exceeded(String step, ProviderCall<?> call) {
        return step + " has not returned within " + seconds() + " s" + remedy(call);
    }

    /** The same for the next listing, which does not call the provider again. */
    static String stillExceeded(String step, ProviderCall<?> call) {
        return step + " has not returned from the previous call" + remedy(call);
    }

    private String seconds() {
        String text = Double.toString(nanos / NANOS_OF_SECOND);
        return text.endsWith(".0") ? text.substring(0, text.length() - 2) : text;
    }

    private static String remedy(ProviderCall<?> call) {
        return call.place() + "; fix or replace the provider, exclude it with -D" + ExcludeList.PROPERTY
                + ", or give it more time with -D" + PROPERTY + "=SECONDS";
    }
}
