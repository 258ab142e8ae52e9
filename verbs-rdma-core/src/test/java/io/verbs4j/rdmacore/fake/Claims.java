/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.fake;

import io.verbs4j.rdmacore.NativeClaim;
import io.verbs4j.rdmacore.NativeDevice;

/** Claims, most of them broken. */
public final class Claims {
    private Claims() {}

    /** Claims the second device. */
    public static final class Second implements NativeClaim {
        public Second() {}

        @Override
        public boolean takes(NativeDevice device) {
            return device.name().equals("fake1");
        }
    }

    /** Its constructor throws an exception. */
    public static final class Unmakable implements NativeClaim {
        public Unmakable() {
            throw new IllegalStateException("no");
        }

        @Override
        public boolean takes(NativeDevice device) {
            return true;
        }
    }

    /** Its constructor throws an error. */
    public static final class OutOfMemory implements NativeClaim {
        public OutOfMemory() {
            throw new OutOfMemoryError("no");
        }

        @Override
        public boolean takes(NativeDevice device) {
            return true;
        }
    }

    /** Its method throws. */
    public static final class Throwing implements NativeClaim {
        public Throwing() {}

        @Override
        public boolean takes(NativeDevice device) {
            throw new IllegalStateException("no");
        }
    }

    /** It was compiled for another release. */
    public static final class Unlinkable implements NativeClaim {
        public Unlinkable() {}

        @Override
        public boolean takes(NativeDevice device) {
            throw new NoSuchMethodError("no");
        }
    }
}
