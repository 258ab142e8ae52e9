/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.core.base;

import io.verbs4j.Errno;
import io.verbs4j.VerbsException;

/**
 * Turns whatever a provider throws into a {@link VerbsException}, the only exception that an application sees. That
 * includes errors of the virtual machine: if memory is really exhausted, making the exception fails too, and that error
 * reaches the application.
 */
public final class Containment {
    private Containment() {}

    /**
     * Converts what a provider threw.
     *
     * @throws ThreadDeath if the thread is being stopped
     */
    public static VerbsException contain(ProviderIdentity identity, String verb, Throwable thrown) {
        String provider = identity.name();
        rethrowFatal(thrown);
        if (thrown instanceof VerbsException e) {
            return normalise(provider, e);
        }
        if (thrown instanceof OutOfMemoryError) {
            String message = "provider '" + provider + "' failed with " + describe(thrown)
                    + "; free some memory, or give the JVM more";
            return new VerbsException(Errno.ENOMEM, verb, message, thrown);
        }
        String misfit = Misfit.words(thrown, identity.level());
        if (!misfit.isEmpty()) {
            String message = "provider '" + provider + "' from " + identity.location() + " failed with "
                    + describe(thrown) + "; " + misfit;
            return new VerbsException(Errno.EIO, verb, message, thrown);
        }
        return broken(provider, verb, "failed with " + describe(thrown), thrown);
    }

    /** The exception for a provider that breaks its contract. */
    public static VerbsException broken(String provider, String verb, String what, Throwable cause) {
        String message =
                "provider '" + provider + "' " + what + "; this is a bug in the provider: report it to its developers";
        return new VerbsException(Errno.EIO, verb, message, cause);
    }

    /** Rethrows {@code ThreadDeath}. Compares the name, because Java is going to remove the class. */
    public static void rethrowFatal(Throwable thrown) {
        if (thrown instanceof Error fatal && thrown.getClass().getName().equals("java.lang.ThreadDeath")) {
            throw fatal;
        }
    }

    /** Describes a throwable in its own words, or by its class if these fail. */
    public static String describe(Throwable thrown) {
        try {
            return thrown.toString();
        } catch (Throwable e) {
            rethrowFatal(e);
            return thrown.getClass().getName();
        }
    }

    /** Renames an exception of the provider's extended verb to the verb that the application called. */
    public static VerbsException as(String verb, VerbsException e) {
        String prefix = e.verb() + ": " + Errno.name(e.errno()) + ": ";
        String message = String.valueOf(e.getMessage());
        return new VerbsException(
                e.errno(), verb, message.startsWith(prefix) ? message.substring(prefix.length()) : message, e);
    }

    /** Makes the errno positive: C returns negative ones in places, and a provider may pass one on. */
    private static VerbsException normalise(String provider, VerbsException e) {
        int errno = e.errno();
        if (errno > 0) {
            return e;
        }
        int positive = errno == 0 || errno == Integer.MIN_VALUE ? Errno.EIO : -errno;
        String message = "provider '" + provider + "' reported errno " + errno + ": " + e.getMessage();
        return new VerbsException(positive, e.verb(), message, e);
    }
}
