/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.memory;

import io.verbs4j.Context;
import io.verbs4j.DeviceMemory;
import io.verbs4j.Errno;
import java.nio.ByteBuffer;

/** What programs have of memory of the device. */
public final class DmHandle extends DeviceMemory {
    /** The memory. */
    public final RxeDeviceMemory dm;

    /** Whether this was imported and is closed: the memory goes on without it. */
    public volatile boolean unimported;

    /** Makes the handle of memory. */
    public DmHandle(Context context, RxeDeviceMemory dm) {
        this(context, dm, dm.length());
    }

    /** Makes one more handle of memory, of its first bytes. */
    public DmHandle(Context context, RxeDeviceMemory dm, long length) {
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
