/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.natives.call;

import io.verbs4j.natives.foreign.ForeignApi;
import io.verbs4j.natives.foreign.ForeignLinker;
import io.verbs4j.natives.memory.NativeMemory;
import java.io.IOException;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.invoke.VarHandle;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.stream.Stream;

/**
 * All calls to the JDK's foreign function API. A class of its own, so that the API's classes are not loaded when it is
 * unused or missing.
 */
final class Foreign {
    private static final int ERRNO_SIZE = 8; // an int, with room to spare

    private static final VarHandle ERRNO = ForeignApi.ofValues("JAVA_INT");

    /** Holds a thread's errno. The value is an object of the JDK, which keeps none of our class loaders alive. */
    private static final ThreadLocal<Object> KEPT = ThreadLocal.withInitial(() -> ForeignLinker.allocate(ERRNO_SIZE));

    /** The C library's address of a thread's errno. A class of its own, because binding the call is expensive. */
    private static final class Location {
        private static final MethodHandle CALL = ForeignLinker.criticalHandle(0);
        private static final Object FUNCTION = ForeignLinker.function(ForeignLinker.find("__errno_location"));

        static long address() {
            try {
                return (long) CALL.invokeExact(FUNCTION);
            } catch (Throwable t) {
                throw ForeignApi.thrown(t);
            }
        }
    }

    private Foreign() {}

    // ---- libraries

    private record Opened(String name, Object lookup) implements LoadedLibrary {
        @Override
        public long address(String function) {
            return ForeignLinker.find(lookup, function);
        }

        @Override
        public String describe() {
            String file = name.substring(name.lastIndexOf('/') + 1);
            try (Stream<String> maps = Files.lines(Path.of("/proc/self/maps"))) {
                return name
                        + maps.map(line -> line.substring(line.indexOf('/') + 1))
                                .filter(path -> path.substring(path.lastIndexOf('/') + 1)
                                        .startsWith(file))
                                .findFirst()
                                .map(path -> " (/" + path + ")")
                                .orElse("");
            } catch (IOException e) {
                return name;
            }
        }
    }

    /**
     * Opens a library.
     *
     * @throws UnsatisfiedLinkError if it cannot be loaded
     */
    static LoadedLibrary open(String name) {
        return new Opened(name, ForeignLinker.open(name));
    }

    static LoadedLibrary libc() {
        return new ProcessLibrary();
    }

    /** The libraries that the process has loaded. */
    private record ProcessLibrary() implements LoadedLibrary {
        @Override
        public long address(String function) {
            return ForeignLinker.find(function);
        }

        @Override
        public String describe() {
            return "libc";
        }
    }

    // ---- functions

    static NativeFunction checked(long address) {
        return new CheckedFunction(address);
    }

    static NativeFunction data(long address) {
        keepErrno(); // loads the classes now: loading them after a call could change errno
        return new DataFunction(address);
    }

    static NativeFunction plain(long address) {
        keepErrno(); // as above
        return new PlainFunction(address);
    }

    // ---- error numbers

    /** {@return the segment that a checked function leaves its errno in} */
    static Object kept() {
        return KEPT.get();
    }

    static int errno() {
        return (int) ERRNO.get(KEPT.get(), 0L);
    }

    static void errno(int number) {
        ERRNO.set(KEPT.get(), 0L, number);
    }

    /**
     * Keeps the C library's current errno. The JVM may have made calls of its own since. Does not use a checked
     * function, which allocates an object until it is compiled well.
     */
    static void keepErrno() {
        errno(NativeMemory.getInt(Location.address()));
    }

    // ---- called by C

    static CallBack.Stub stub(CallBack of) {
        MethodHandle body;
        try {
            body = MethodHandles.lookup()
                    .findVirtual(
                            CallBack.class,
                            "run",
                            MethodType.methodType(
                                    long.class, Collections.nCopies(CallBack.ARGUMENTS, (Class<?>) long.class)))
                    .bindTo(of);
        } catch (ReflectiveOperationException e) {
            throw new LinkageError("CallBack.run", e);
        }
        Object segment = ForeignLinker.stub(body, CallBack.ARGUMENTS);
        return new CallBack.Stub(ForeignLinker.addressOf(segment), segment);
    }
}
