/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.natives.call;

import com.sun.jna.CallbackProxy;
import com.sun.jna.CallbackReference;
import com.sun.jna.Library;
import com.sun.jna.Native;
import com.sun.jna.NativeLibrary;
import com.sun.jna.Platform;
import com.sun.jna.Pointer;
import com.sun.jna.SymbolProvider;
import java.io.IOException;
import java.io.InputStream;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodHandles.Lookup.ClassOption;
import java.util.Arrays;
import java.util.Map;

/** All calls to JNA. A class of its own, so that JNA's classes are not loaded when it is unused or missing. */
final class Jna {
    private Jna() {}

    private record Opened(NativeLibrary library) implements LoadedLibrary {
        @Override
        public long address(String function) {
            try {
                return Pointer.nativeValue(library.getFunction(function));
            } catch (UnsatisfiedLinkError e) {
                return 0;
            }
        }

        @Override
        public String describe() {
            return library.getName() + " (" + library.getFile() + ")";
        }
    }

    /**
     * Opens a library.
     *
     * @throws UnsatisfiedLinkError if it cannot be loaded
     */
    static LoadedLibrary open(String name) {
        return new Opened(NativeLibrary.getInstance(name));
    }

    static LoadedLibrary libc() {
        return open(Platform.C_LIBRARY_NAME);
    }

    static int errno() {
        return Native.getLastError();
    }

    static void errno(int number) {
        Native.setLastError(number);
    }

    /**
     * Binds the function at an address. JNA's direct mapping binds the native methods of a class to addresses, once.
     * Each address therefore gets a class of its own, a hidden copy of {@link BoundFunction}. A call then costs what
     * direct mapping costs and allocates nothing; {@code Function.invoke} would cost nine times as much and allocate.
     */
    static NativeFunction bind(long address) {
        Binding binding = new Binding(address);
        binding.begin();
        return binding.function;
    }

    /**
     * A function that can be unbound and bound again. It always uses the same class, because JNA never forgets a class
     * that it has bound.
     */
    static final class Binding {
        final NativeFunction function;

        /** Kept instead of the JNA library made from it: JNA runs a thread as long as such a library is reachable. */
        private final SymbolProvider anyName;

        Binding(long address) {
            anyName = (handle, name, parent) -> address;
            try (InputStream code = Jna.class.getResourceAsStream("BoundFunction.class")) {
                function = (NativeFunction) MethodHandles.lookup()
                        .defineHiddenClass(code.readAllBytes(), false, ClassOption.NESTMATE)
                        .lookupClass()
                        .getDeclaredConstructor()
                        .newInstance();
            } catch (IOException | ReflectiveOperationException e) {
                throw new IllegalStateException("binding a function pointer failed", e);
            }
        }

        void begin() {
            Map<String, ?> options = Map.of(Library.OPTION_SYMBOL_PROVIDER, anyName);
            Native.register(function.getClass(), NativeLibrary.getInstance(null, options));
        }

        /** Unbinds the function; no call may be under way. */
        void end() {
            Native.unregister(function.getClass());
        }
    }

    /**
     * Makes JNA's class loader the thread's context class loader, so that the threads that JNA starts inherit no other.
     */
    static void adopt(Thread thread) {
        thread.setContextClassLoader(Native.class.getClassLoader());
    }

    /** {@return the module that needs native access, in the form that {@code --enable-native-access} takes} */
    static String module() {
        Module jna = Native.class.getModule();
        return jna.isNamed() ? jna.getName() : "ALL-UNNAMED";
    }

    /** Implements JNA's own interface: JNA would look up the method of any other, and has no access to this module. */
    private record Proxy(CallBack body) implements CallbackProxy {
        @Override
        public Object callback(Object[] a) {
            return body.run((Long) a[0], (Long) a[1], (Long) a[2], (Long) a[3], (Long) a[4], (Long) a[5]);
        }

        @Override
        public Class<?>[] getParameterTypes() {
            Class<?>[] types = new Class<?>[CallBack.ARGUMENTS];
            Arrays.fill(types, long.class);
            return types;
        }

        @Override
        public Class<?> getReturnType() {
            return long.class;
        }
    }

    static CallBack.Stub stub(CallBack of) {
        Proxy proxy = new Proxy(of);
        return new CallBack.Stub(Pointer.nativeValue(CallbackReference.getFunctionPointer(proxy)), proxy);
    }
}
