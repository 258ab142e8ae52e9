/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.natives.call;

import java.util.ArrayList;
import java.util.List;

/**
 * Functions of the C library that are bound while somebody uses them, and not for good, as {@link Export} binds. JNA
 * has a thread while anything is bound; the thread keeps JNA's class loader for ever, and so, mostly, ours. To be bound
 * and unbound by one thread at a time.
 */
public final class CallSet {
    private final List<Call> calls = new ArrayList<>();

    /** One of the functions. */
    public static final class Call {
        private final String name;
        private final boolean often;
        private NativeFunction function;
        private Jna.Binding binding; // null until it has been bound by JNA
        private boolean isBound;

        private Call(String name, boolean often) {
            this.name = name;
            this.often = often;
        }

        /** The function, to be called while the set is bound. */
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
            if (isBound) { // by JNA; of the foreign API's, nothing is kept
                isBound = false;
                binding.end();
            }
        }
    }

    /** An empty set. */
    public CallSet() {}

    /** Adds a function that is called now and then: the error number of each call is kept. */
    public Call call(String name) {
        return add(new Call(name, false));
    }

    /**
     * Adds a function that is called all the time. Its error number is asked for where it has failed: if the JVM has
     * stopped the thread since, to collect garbage for instance, it is the one of that wait, EAGAIN or EINTR. A call
     * that ends with either is made again, and tells the true one then.
     */
    public Call callOften(String name) {
        return add(new Call(name, true));
    }

    private Call add(Call call) {
        calls.add(call);
        return call;
    }

    /**
     * Binds all of them.
     *
     * @return why they can't be called here, and what to do; null where they can, and then {@link #unbind} is owed
     */
    public String bind() {
        return NativeBinding.isForeign() ? bindForeign() : bindOnThreadThatEnds();
    }

    /** Ends a {@link #bind} that worked; no call may be under way. */
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
                    + "); -D" + NativeBinding.PROPERTY + "=jna, with JNA on the class path, does without";
        }
    }

    /**
     * JNA leaves objects of its own with the thread that first uses it, and its own thread has the class loader of
     * that. Either would keep a class loader for as long as the thread is there.
     */
    private String bindOnThreadThatEnds() {
        String[] problem = {"JNA could not be asked"};
        Thread thread = new Thread(() -> problem[0] = bindByJna(), "verbs4j-bind");
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
                + (grant == null ? "" : ", or allow what this JDK has in its place with " + grant);
    }
}
