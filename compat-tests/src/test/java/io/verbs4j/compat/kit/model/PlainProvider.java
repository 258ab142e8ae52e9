/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.kit.model;

import io.verbs4j.Context;
import io.verbs4j.ContextOps;
import io.verbs4j.Device;
import io.verbs4j.DeviceKind;
import io.verbs4j.NodeType;
import io.verbs4j.TransportType;
import io.verbs4j.compat.kit.Capability;
import io.verbs4j.spi.VerbsProvider;
import java.util.ArrayList;
import java.util.List;

/** The provider of the model, without a table. */
public class PlainProvider implements VerbsProvider {
    private static final List<Device> DEVICES = List.of(new ModelDevice());

    private static final class ModelDevice extends Device {
        ModelDevice() {
            super("model0", 7, NodeType.CA, TransportType.IB, DeviceKind.EMBEDDED);
        }
    }

    @Override
    public String name() {
        return Fault.NAME_WITH_CAPITALS.on() ? "Model!" : "model";
    }

    @Override
    public int level() {
        return Traits.has(Capability.EXTENDED) && !Fault.LEVEL_TOO_LOW.on() ? 4 : 1;
    }

    @Override
    public int minimumLibraryLevel() {
        return Fault.MINIMUM_ZERO.on() ? 0 : 1;
    }

    @Override
    public List<? extends Device> devices() {
        if (Fault.NEW_INSTANCES.on()) {
            return List.of(new ModelDevice());
        }
        if (Fault.LIBRARY_REFUSES.on()
                && StackWalker.getInstance()
                        .walk(frames -> frames.anyMatch(f -> f.getClassName().startsWith("io.verbs4j.core.")))) {
            throw new IllegalStateException("not here");
        }
        List<Device> devices = new ArrayList<>(DEVICES);
        if (Fault.NULL_DEVICE.on()) {
            devices.add(null);
        }
        return devices;
    }

    @Override
    public ContextOps openDevice(Device device, Context context) {
        if (Fault.USES_CONTEXT.on() && !isLibrary(context)) {
            context.queryContext();
        }
        if (Fault.ANY_OPEN_ATTR.on()) {
            context.acceptOpenAttr(-1, -1);
        }
        SharedOps.opening(context);
        return new ModelOps(context);
    }

    static boolean isLibrary(Context context) {
        return context.getClass().getName().startsWith("io.verbs4j.core.");
    }
}
