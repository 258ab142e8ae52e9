/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.link;

import com.sun.jna.Native;
import com.sun.jna.NativeLibrary;
import com.sun.jna.Platform;
import io.verbs4j.provider.rxe.memory.MemoryAccess;

/** Binds the native methods of a class to the functions of the C library that have their names. */
final class JnaBinding {
    private JnaBinding() {}

    /**
     * Binds a class; answers why that can't be, or null. On a thread that ends: JNA leaves objects of its own with
     * the thread that first uses it, and its own thread has the class loader of that. Either would keep a class
     * loader for as long as the thread is there.
     */
    static String bind(Class<?> calls) {
        String[] problem = {"JNA could not be asked"};
        Thread thread = new Thread(() -> problem[0] = register(calls), "rxe-bind");
        thread.setDaemon(true);
        thread.start();
        boolean interrupted = false;
        while (thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                interrupted = true; // the verb goes on, and its caller learns of it afterwards
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        return problem[0];
    }

    /**
     * Ends a {@link #bind}. JNA has a thread while anything is bound, and the thread keeps JNA's class loader for
     * ever, and so, mostly, that of the class.
     */
    static void unbind(Class<?> calls) {
        Native.unregister(calls);
    }

    private static String register(Class<?> calls) {
        try {
            Thread.currentThread().setContextClassLoader(Native.class.getClassLoader());
            // By the library and not by its name: for that JNA would remember the class loader.
            Native.register(calls, NativeLibrary.getInstance(Platform.C_LIBRARY_NAME));
            return null;
        } catch (LinkageError | RuntimeException e) {
            return obstacle(e);
        }
    }

    private static String obstacle(Throwable thrown) {
        boolean isWrapped = thrown instanceof ExceptionInInitializerError && thrown.getCause() != null;
        Throwable cause = isWrapped ? thrown.getCause() : thrown;
        if (cause instanceof IllegalCallerException) {
            Module jna = Native.class.getModule();
            return "native access is denied to JNA (" + cause.getMessage() + "); allow it with --enable-native-access="
                    + (jna.isNamed() ? jna.getName() : "ALL-UNNAMED");
        }
        String grant = MemoryAccess.grant();
        return "JNA is missing or does not work here (" + cause
                + "); put it on the class path, or on the module path with --add-modules com.sun.jna"
                + (grant == null ? "" : ", or allow what this JDK has in its place with " + grant);
    }
}
