/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package app;

import io.verbs4j.Errno;
import io.verbs4j.VerbsException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.function.Supplier;

/** Prints what the matrix reads: a line for each step, its fields separated by tabs. */
final class Results {
    private static final PrintStream OUT = new PrintStream(System.out, true, StandardCharsets.UTF_8);

    private Results() {}

    static void line(String group, String step, String status, String text) {
        OUT.println("result\t" + group + "\t" + step + "\t" + status + "\t" + text.replaceAll("\\s+", " "));
    }

    /** Takes a step and tells its end; null where it failed. */
    static <T> T step(String group, String step, Supplier<T> body) {
        try {
            T result = body.get();
            line(group, step, "works", result instanceof String ? (String) result : "");
            return result;
        } catch (VerbsException e) {
            line(group, step, Errno.name(e.errno()), e.getMessage());
        } catch (Unreached e) {
            line(group, step, "unreached", e.getMessage());
        } catch (Throwable t) { // not VerbsException: no verb may do this, and the matrix goes red
            line(group, step, t.getClass().getSimpleName(), t.toString());
            t.printStackTrace();
        }
        return null;
    }

    /** For a step that needs another one's result. */
    static <T> T need(T value, String what) {
        if (value == null) {
            throw new Unreached("needs " + what);
        }
        return value;
    }

    /** Closes a handle, whose close declares nothing but runtime exceptions, known as anything that can be closed. */
    static void close(AutoCloseable handle) {
        try {
            handle.close();
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    static final class Unreached extends RuntimeException {
        private static final long serialVersionUID = 1;

        Unreached(String message) {
            super(message);
        }
    }
}
