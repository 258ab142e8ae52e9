/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.natives.call;

import java.util.ArrayList;
import java.util.List;

/**
 * Functions of the C library that are bound only while they are needed, unlike those of {@link Export}. JNA runs a
 * thread while anything is bound; that thread keeps JNA's class loader alive for ever, and so usually ours. Bind and
 * unbind from one thread at a time.
 */
public final class CallSet {
    private final List<Call> calls = new ArrayList<>();

    /** A function of the set. */
    public static final class Call {
        private final String name;
        private final boolean often;
        private NativeFunction function;
        private Jna.Binding binding; // null until JNA has bound it
        private boolean isBound;

        private Call(String name, boolean often) {
            this.name = name;
            this.often = often;
        }

        /** {@return the function, to be called while the set is bound} */
        public NativeFunction get() {
            return function;
        }

        private void bind(LoadedLibrary libc) {
            long address = libc.address(name);
            if (address == 0) {
                throw new UnsatisfiedLinkError("the C library has no " + name);
            }
            if (NativeBinding.isForeign()) {
                function = often ? Foreign.plain(address) : Foreign.checked(address);
                return;
            }
            if (binding == null) {
                binding = new Jna.Binding(address);
                function = binding.function;
            }
            binding.begin();
            isBound = true;
        }

        private void unbind() {
            if (isBound) { // by JNA; the foreign function API leaves nothing to undo
                isBound = false;
                binding.end();
            }
        }
    }

    /** Creates an empty set. */
    public CallSet() {}

    /** Adds a function that is called rarely; the errno of each call is kept. */
    public Call call(String name) {
        return add(new Call(name, false));
    }

    /**
     * Adds a function that is called frequently. Its errno is read only after a failed call. If the JVM stopped the
     * thread in between, for instance to collect garbage, the errno read is that of the JVM's own wait: EAGAIN or
     * EINTR. Repeat a call that fails with either; the repeated call reports the true errno.
     */
    public Call callOften(String name) {
        return add(new Call(name, true));
    }

    private Call add(Call call) {
        calls.add(call);
        return call;
    }

    /**
     * Binds all functions of the set.
     *
     * @return why they cannot be called here and what to do about it; null on success, after which {@link #unbind} is
     *     due
     */
    public String bind() {
        return NativeBinding.isForeign() ? bindForeign() : bindOnThreadThatEnds();
    }

    /** Undoes a successful {@link #bind}; no call may be under way. */
    public void unbind() {
        calls.forEach(Call::unbind);
    }

    private void bindAll() {
        LoadedLibrary libc = NativeBinding.libc();
        calls.forEach(call -> call.bind(libc));
    }

    private String bindForeign() {
        try {
            bindAll();
            return null;
        } catch (LinkageError | RuntimeException e) {
            return "the JDK's foreign function API does not work here (" + (e.getCause() == null ? e : e.getCause())
                    + "); -D" + NativeBinding.PROPERTY + "=jna, with JNA on the class path, works without it";
        }
    }

    /**
     * Binds on a thread that ends. JNA leaves objects with the thread that first uses it, and its own thread inherits
     * that thread's class loader. Either would keep a class loader alive as long as the thread lives.
     */
    private String bindOnThreadThatEnds() {
        String[] problem = {"JNA could not be tried"};
        Thread thread = new Thread(() -> problem[0] = bindByJna(), "verbs4j-bind");
        thread.setDaemon(true);
        thread.start();
        boolean interrupted = false;
        while (thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                interrupted = true; // the verb continues; its caller sees the interrupt afterwards
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        return problem[0];
    }

    private String bindByJna() {
        try {
            Jna.adopt(Thread.currentThread());
            bindAll();
            return null;
        } catch (LinkageError | RuntimeException e) {
            unbind();
            return obstacle(e);
        }
    }

    private static String obstacle(Throwable thrown) {
        boolean isWrapped = thrown instanceof ExceptionInInitializerError && thrown.getCause() != null;
        Throwable cause = isWrapped ? thrown.getCause() : thrown;
        if (cause instanceof IllegalCallerException) {
            return "native access is denied to JNA (" + cause.getMessage() + "); allow it with --enable-native-access="
                    + Jna.module();
        }
        String grant = NativeBinding.grant();
        return "JNA is missing or does not work here (" + cause
                + "); put it on the class path, or on the module path with --add-modules com.sun.jna"
                + (grant == null ? "" : ", or allow the JDK's own API with " + grant);
    }
}
