/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.netty;

import io.verbs4j.Context;
import io.verbs4j.Device;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.VerbsException;
import io.verbs4j.VerbsLevel;
import io.verbs4j.core.Verbs;
import java.util.HashMap;
import java.util.Map;

/**
 * An open device that all event loops of the process share. One loop may accept a connection that another one serves,
 * so both must be on one context. The device is closed when its last user releases it.
 */
final class SharedDevice {
    private static final Map<String, SharedDevice> OPEN = new HashMap<>();

    private final String name;
    private final Context context;
    private final ProtectionDomain pd;
    private final RegisteredMemory registered = new RegisteredMemory();

    /** Guarded by {@link #OPEN}. */
    private int users = 1;

    private SharedDevice(Device device) {
        name = device.name();
        context = Verbs.open(device, VerbsLevel.CURRENT);
        try {
            pd = context.allocPd();
        } catch (VerbsException e) {
            context.close();
            throw e;
        }
    }

    /**
     * Returns the device of that name, or for null the default device. The caller must release it.
     *
     * @throws IllegalStateException if there is no usable device; the message says why
     */
    static SharedDevice acquire(String name) {
        try {
            Device device = name == null ? Verbs.defaultDevice() : Verbs.device(name);
            synchronized (OPEN) {
                SharedDevice shared = OPEN.get(device.name());
                if (shared == null) {
                    shared = new SharedDevice(device);
                    OPEN.put(device.name(), shared);
                } else {
                    shared.users++;
                }
                return shared;
            }
        } catch (VerbsException e) {
            throw new IllegalStateException(
                    "no RDMA device can be used: " + e.getMessage()
                            + "; use NioIoHandler with NioServerSocketChannel and NioSocketChannel (or those of epoll)"
                            + " instead",
                    e);
        }
    }

    void retain() {
        synchronized (OPEN) {
            users++;
        }
    }

    void release() {
        synchronized (OPEN) {
            if (--users == 0) {
                pd.close();
                context.close();
                OPEN.remove(name);
            }
        }
    }

    /** {@return how many devices are open or could not be closed; for tests} */
    static int openDevices() {
        synchronized (OPEN) {
            return OPEN.size();
        }
    }

    Context context() {
        return context;
    }

    ProtectionDomain pd() {
        return pd;
    }

    RegisteredMemory registered() {
        return registered;
    }

    @Override
    public String toString() {
        return name;
    }
}
