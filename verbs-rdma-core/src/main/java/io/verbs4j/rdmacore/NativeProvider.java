/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore;

import io.verbs4j.Context;
import io.verbs4j.ContextOps;
import io.verbs4j.ContextTable;
import io.verbs4j.Device;
import io.verbs4j.Errno;
import io.verbs4j.VerbsException;
import io.verbs4j.spi.ExtendedProvider;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * Base of the providers of devices that rdma-core drives. A subclass decides which devices are its own and what it adds
 * to them.
 */
public abstract class NativeProvider implements ExtendedProvider, NativeClaim {

    /** For subclasses. */
    protected NativeProvider() {}

    @Override
    public int level() {
        return 4; // a literal: the level that this source was written for
    }

    @Override
    public int minimumLibraryLevel() {
        return 1;
    }

    @Override
    public List<? extends Device> devices() {
        return nativeDevices();
    }

    /**
     * Returns the devices that the provider takes.
     *
     * @throws VerbsException if the kernel has devices and libibverbs cannot be loaded or fails
     */
    protected final List<NativeDevice> nativeDevices() {
        List<NativeDevice> mine = new ArrayList<>();
        for (NativeDevice device : NativeDevices.list()) {
            if (takes(device)) {
                mine.add(device);
            }
        }
        return Collections.unmodifiableList(mine);
    }

    @Override
    public ContextOps openDevice(Device device, Context context) {
        if (!(device instanceof NativeDevice nativeDevice)) {
            throw new VerbsException(Errno.ENODEV, "open_device", device + " is not an rdma-core device");
        }
        return context(nativeDevice, context);
    }

    /** Opens a device. A subclass that adds something returns its own context class. */
    protected NativeContext context(NativeDevice device, Context context) {
        return new NativeContext(device, context);
    }

    @Override
    public void initContext(ContextOps opened, ContextTable table) {
        ((NativeContext) opened).fill(table);
    }
}
