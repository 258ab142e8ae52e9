/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.gaudi.sim.programs;

import com.sun.jna.Native;
import com.sun.jna.NativeLibrary;

/** Opens and closes files through the C library, which the simulator interposes. */
final class DeviceFile {
    static {
        Native.register(DeviceFile.class, NativeLibrary.getProcess());
    }

    private DeviceFile() {}

    static native int open(String path, int flags);

    static native int close(int fd);
}
