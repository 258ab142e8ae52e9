/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.memory;

import io.verbs4j.Context;
import io.verbs4j.DeviceMemory;
import io.verbs4j.Errno;
import java.nio.ByteBuffer;

/** The program's handle of device memory. */
public final class RxeDeviceMemory extends DeviceMemory {
    /** The memory. */
    public final RxeDm dm;

    /** Whether this is an imported handle that was closed; the memory outlives it. */
    public volatile boolean unimported;

    /** Creates a handle of memory. */
    public RxeDeviceMemory(Context context, RxeDm dm) {
        this(context, dm, dm.length());
    }

    /** Creates another handle of memory, covering its first {@code length} bytes. */
    public RxeDeviceMemory(Context context, RxeDm dm, long length) {
        super(context, length);
        this.dm = dm;
    }

    @Override
    public int copyTo(long dmOffset, ByteBuffer source) {
        return unimported ? Errno.EINVAL : dm.copyTo(dmOffset, source, length());
    }

    @Override
    public int copyFrom(ByteBuffer target, long dmOffset) {
        return unimported ? Errno.EINVAL : dm.copyFrom(target, dmOffset, length());
    }
}
