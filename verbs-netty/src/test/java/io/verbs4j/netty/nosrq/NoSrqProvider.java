/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.netty.nosrq;

import io.verbs4j.Context;
import io.verbs4j.ContextOps;
import io.verbs4j.Device;
import io.verbs4j.DeviceAttr;
import io.verbs4j.DeviceKind;
import io.verbs4j.Errno;
import io.verbs4j.VerbsException;
import io.verbs4j.provider.rxe.RxeProvider;
import io.verbs4j.spi.VerbsProvider;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A provider of the embedded device without shared receive queues: it reports none, and refuses to create one. Lists
 * the device only while {@link #PROPERTY} is true.
 */
public final class NoSrqProvider implements VerbsProvider {
    /** Name of its device. */
    public static final String DEVICE = "nosrq0";

    /** System property that makes the device appear. */
    public static final String PROPERTY = "verbs4j.test.nosrq";

    /** How many queue pairs have been made on the device. */
    static final AtomicInteger QUEUE_PAIRS = new AtomicInteger();

    private final VerbsProvider embedded = new RxeProvider();

    /** Called by the service loader. */
    public NoSrqProvider() {
        // nothing to prepare
    }

    @Override
    public String name() {
        return "nosrq";
    }

    @Override
    public int level() {
        return embedded.level();
    }

    @Override
    public int minimumLibraryLevel() {
        return embedded.minimumLibraryLevel();
    }

    private Device wrapped() {
        return embedded.devices().stream()
                .filter(device -> device.kind() == DeviceKind.EMBEDDED)
                .findFirst()
                .orElseThrow();
    }

    @Override
    public List<? extends Device> devices() {
        return Boolean.getBoolean(PROPERTY) ? List.of(new NoSrqDevice(wrapped())) : List.of();
    }

    @Override
    public ContextOps openDevice(Device device, Context context) {
        ContextOps all = embedded.openDevice(wrapped(), context);
        return (ContextOps) Proxy.newProxyInstance(
                NoSrqProvider.class.getClassLoader(),
                new Class<?>[] {ContextOps.class},
                (proxy, method, arguments) -> call(all, method, arguments));
    }

    private static Object call(ContextOps all, Method method, Object... arguments) throws Throwable {
        if (method.getName().equals("createSrq")) {
            throw new VerbsException(Errno.EOPNOTSUPP, "create_srq", "the device has no shared receive queues");
        }
        if (method.getName().equals("createQp")) {
            QUEUE_PAIRS.incrementAndGet();
        }
        try {
            Object result = method.invoke(all, arguments);
            if (method.getName().equals("queryDevice")) {
                ((DeviceAttr) arguments[0]).maxSrq(0).maxSrqWr(0).maxSrqSge(0);
            }
            return result;
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    /** The embedded device under another name. */
    private static final class NoSrqDevice extends Device {
        NoSrqDevice(Device wrapped) {
            super(DEVICE, wrapped.guid(), wrapped.nodeType(), wrapped.transportType(), DeviceKind.EMBEDDED);
        }
    }
}
