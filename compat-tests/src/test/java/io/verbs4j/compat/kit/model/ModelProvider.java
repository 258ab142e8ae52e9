/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.kit.model;

import io.verbs4j.Context;
import io.verbs4j.ContextOps;
import io.verbs4j.ContextSlot;
import io.verbs4j.ContextTable;
import io.verbs4j.Device;
import io.verbs4j.NodeType;
import io.verbs4j.TransportType;
import io.verbs4j.slot.CloseXrcd;
import io.verbs4j.slot.CreateQpEx;
import io.verbs4j.slot.CreateSrqEx;
import io.verbs4j.slot.GetSrqNum;
import io.verbs4j.slot.OpenQp;
import io.verbs4j.slot.OpenXrcd;
import io.verbs4j.spi.ExtendedProvider;
import java.util.ArrayList;
import java.util.List;

/** The provider of the model. */
public final class ModelProvider implements ExtendedProvider {
    private static final List<Device> DEVICES = List.of(new ModelDevice());

    private static final class ModelDevice extends Device {
        ModelDevice() {
            super("model0", 7, NodeType.CA, TransportType.IB);
        }
    }

    @Override
    public String name() {
        return Fault.NAME_WITH_CAPITALS.on() ? "Model!" : "model";
    }

    @Override
    public int level() {
        return Fault.LEVEL_TOO_LOW.on() ? 1 : 2;
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
        return new ModelOps(context);
    }

    private static boolean isLibrary(Context context) {
        return context.getClass().getName().startsWith("io.verbs4j.core.");
    }

    @Override
    public void initContext(ContextOps opened, ContextTable table) {
        ModelOps ops = (ModelOps) opened;
        boolean all = table.fillProvider(ContextSlot.OPEN_XRCD, (OpenXrcd) ops::openXrcd);
        all &= table.fillProvider(ContextSlot.CLOSE_XRCD, (CloseXrcd) ops::closeXrcd);
        all &= table.fillProvider(ContextSlot.CREATE_SRQ_EX, (CreateSrqEx) ops::createSrqEx);
        Object number = (GetSrqNum) srq -> ((ModelSrq) srq).number();
        boolean wrong = Fault.WRONG_SLOT_TYPE.on() && !isLibrary(ops.context());
        all &= table.fillProvider(ContextSlot.GET_SRQ_NUM, wrong ? "nonsense" : number);
        all &= table.fillProvider(ContextSlot.CREATE_QP_EX, (CreateQpEx) ops::createQpEx);
        all &= table.fillProvider(ContextSlot.OPEN_QP, (OpenQp) ops::openQp);
        if (Fault.NEEDS_WHOLE_TABLE.on() && !all) {
            throw new IllegalStateException("the library is too old for me");
        }
    }
}
