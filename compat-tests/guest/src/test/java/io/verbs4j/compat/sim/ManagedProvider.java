/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.sim;

import io.verbs4j.Context;
import io.verbs4j.ContextOps;
import io.verbs4j.ContextTable;
import io.verbs4j.Device;
import io.verbs4j.cm.spi.CmProvider;
import io.verbs4j.cm.spi.GsiPort;
import io.verbs4j.provider.mlx5.Mlx5Provider;
import io.verbs4j.spi.ExtendedProvider;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.List;

/**
 * A provider of a simulated ConnectX with the connection manager of verbs-cm, since no kernel provides one. Everything
 * else is {@link Mlx5Provider}'s. It is registered for the programs that tests start, not for the tests.
 */
public final class ManagedProvider implements ExtendedProvider {
    /** The name of its device, which is the first ConnectX. */
    static final String DEVICE = "managed0";

    private final Mlx5Provider mlx5 = new Mlx5Provider();
    private ManagedDevice device;
    private LocalGsi gsi;

    /** For the service loader. */
    public ManagedProvider() {
        // nothing to prepare
    }

    @Override
    public String name() {
        return "managed";
    }

    @Override
    public int level() {
        return mlx5.level();
    }

    @Override
    public int minimumLibraryLevel() {
        return mlx5.minimumLibraryLevel();
    }

    @Override
    public synchronized List<? extends Device> devices() {
        if (device == null) {
            List<? extends Device> all = mlx5.devices();
            if (all.isEmpty()) {
                return List.of();
            }
            device = new ManagedDevice(all.get(0));
        }
        return List.of(device);
    }

    @Override
    public ContextOps openDevice(Device opened, Context context) {
        ContextOps all = mlx5.openDevice(((ManagedDevice) opened).wrapped, context);
        return (ContextOps) Proxy.newProxyInstance(
                ManagedProvider.class.getClassLoader(), new Class<?>[] {ContextOps.class}, new Managed(all));
    }

    @Override
    public void initContext(ContextOps opened, ContextTable table) {
        mlx5.initContext(((Managed) Proxy.getInvocationHandler(opened)).all, table);
    }

    private synchronized LocalGsi gsi(ContextOps all) {
        if (gsi == null) {
            gsi = new LocalGsi(device.guid(), all);
        }
        return gsi;
    }

    /** Forwards the verbs of an open device, but answers one itself. */
    private final class Managed implements InvocationHandler {
        private final ContextOps all;

        Managed(ContextOps all) {
            this.all = all;
        }

        @Override
        public Object invoke(Object proxy, Method method, Object[] arguments) throws Throwable {
            if (method.getName().equals("vendor")) {
                boolean rejecting = RejectingCm.isAsked();
                if (arguments[0] == GsiPort.class) {
                    return rejecting ? null : gsi(all);
                }
                if (arguments[0] == CmProvider.class) {
                    return rejecting ? new RejectingCm() : null; // not the kernel's
                }
            }
            try {
                return method.invoke(all, arguments);
            } catch (InvocationTargetException e) {
                throw e.getCause();
            }
        }
    }

    /** The device under another name. */
    private static final class ManagedDevice extends Device {
        private final Device wrapped;

        ManagedDevice(Device wrapped) {
            super(DEVICE, wrapped.guid(), wrapped.nodeType(), wrapped.transportType(), wrapped.kind());
            this.wrapped = wrapped;
        }
    }
}
