/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.model;

import io.verbs4j.ContextOps;
import io.verbs4j.ContextSlot;
import io.verbs4j.DeviceAttr;
import io.verbs4j.DeviceAttrEx;
import io.verbs4j.DeviceTraits;
import io.verbs4j.Errno;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.QpCap;
import io.verbs4j.QpCreateSendOps;
import io.verbs4j.QpInitAttr;
import io.verbs4j.QpInitAttrEx;
import io.verbs4j.QpType;
import io.verbs4j.QueuePair;
import io.verbs4j.VerbsException;
import io.verbs4j.slot.CreateQpEx;
import io.verbs4j.slot.QueryDeviceEx;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;

/** The verbs of an embedded device as a model has them: queue pairs are made for the claimed operations alone. */
final class ModelVerbs implements InvocationHandler {
    private final ContextOps ops;
    private final Model model;
    private CreateQpEx createQpEx;

    ModelVerbs(ContextOps ops, Model model) {
        this.ops = ops;
        this.model = model;
    }

    ContextOps ops() {
        return ops;
    }

    @Override
    public Object invoke(Object proxy, Method method, Object[] arguments) throws Throwable {
        switch (method.getName()) {
            case "createQp" -> {
                return createQp((ProtectionDomain) arguments[0], (QpInitAttr) arguments[1]);
            }
            case "queryDevice" -> {
                DeviceAttr attr = (DeviceAttr) arguments[0];
                ops.queryDevice(attr);
                narrow(attr);
                return null;
            }
            case "createCompChannel" -> {
                if (!model.events()) {
                    throw new VerbsException(
                            Errno.EOPNOTSUPP,
                            "create_comp_channel",
                            "the model has no events of completions: " + model);
                }
                return ops.createCompChannel();
            }
            default -> {
                try {
                    return method.invoke(ops, arguments);
                } catch (InvocationTargetException e) {
                    throw e.getCause();
                }
            }
        }
    }

    private QueuePair createQp(ProtectionDomain pd, QpInitAttr attr) {
        QpCap cap = attr.cap();
        if (attr.qpType() == QpType.UD && model.datagrams()) {
            return ops.createQp(pd, attr);
        }
        boolean receives = model.hasReceives();
        if (attr.qpType() != QpType.RC
                || model.operations() == 0
                || !receives && (cap.maxRecvWr() > 1 || cap.maxSendSge() > 1)) {
            throw new VerbsException(
                    Errno.EOPNOTSUPP, "create_qp", "the model has no such queue pairs: " + model + ", " + attr);
        }
        if (!receives) {
            cap.maxRecvWr(0);
        }
        QpInitAttrEx narrow = QpInitAttrEx.of(pd, attr).sendOpsFlags(model.operations());
        QueuePair qp = createQpEx.createQpEx(narrow);
        attr.cap(narrow.cap());
        return qp;
    }

    /** The function of a slot, narrowed. */
    Object narrow(int slot, Object function) {
        if (slot == ContextSlot.CREATE_QP_EX) {
            createQpEx = (CreateQpEx) function;
        }
        if (slot != ContextSlot.QUERY_DEVICE_EX) {
            return function;
        }
        QueryDeviceEx whole = (QueryDeviceEx) function;
        return (QueryDeviceEx) (input, attr) -> {
            whole.queryDeviceEx(input, attr);
            attr.offer(DeviceAttrEx.SEND_OPS_RC, model.operations());
            attr.offer(DeviceAttrEx.DEVICE_TRAITS, model.events() ? 0L : DeviceTraits.NO_COMPLETION_EVENTS);
            attr.offer(DeviceAttrEx.SEND_OPS_UC, 0L);
            attr.offer(DeviceAttrEx.SEND_OPS_UD, model.datagrams() ? QpCreateSendOps.SEND : 0L);
            narrow(attr.origAttr());
        };
    }

    private void narrow(DeviceAttr attr) {
        attr.maxQpRdAtom(model.reads()).maxQpInitRdAtom(model.reads());
    }
}
