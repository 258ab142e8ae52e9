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
import java.lang.reflect.Proxy;

/** The verbs of an embedded device, limited to a model: queue pairs get only the reported operations. */
final class ModelVerbs implements InvocationHandler {
    private final ContextOps ops;
    private final Model model;
    private final Removal removal;
    private CreateQpEx createQpEx;

    ModelVerbs(ContextOps ops, Model model, Removal removal) {
        this.ops = ops;
        this.model = model;
        this.removal = removal;
    }

    ContextOps ops() {
        return ops;
    }

    @Override
    public Object invoke(Object proxy, Method method, Object[] arguments) throws Throwable {
        String verb = method.getName();
        removal.check(verb);
        Object result = carryOut(verb, method, arguments);
        removal.checkDestroyed(verb);
        return result;
    }

    private Object carryOut(String verb, Method method, Object... arguments) throws Throwable {
        switch (verb) {
            case "createQp" -> {
                QueuePair qp = createQp((ProtectionDomain) arguments[0], (QpInitAttr) arguments[1]);
                removal.made(qp);
                return qp;
            }
            case "destroyQp" -> {
                removal.destroy((QueuePair) arguments[0]);
                return null;
            }
            case "getAsyncEvent" -> {
                return removal.event((long) arguments[0]);
            }
            case "close" -> {
                removal.closed();
                ModelProvider.closed(removal);
                ops.close();
                return null;
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
                if (Removal.destroys(verb)) {
                    removal.forgetEnded();
                }
                return call(method, ops, arguments);
            }
        }
    }

    private static Object call(Method method, Object target, Object... arguments) throws Throwable {
        try {
            return method.invoke(target, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
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

    /** Narrows the function of a slot. */
    Object narrow(int slot, Object function) {
        if (slot == ContextSlot.CREATE_QP_EX) {
            createQpEx = (CreateQpEx) function;
            return (CreateQpEx) attr -> {
                removal.check("createQpEx");
                QueuePair qp = createQpEx.createQpEx(attr);
                removal.made(qp);
                return qp;
            };
        }
        if (slot != ContextSlot.QUERY_DEVICE_EX) {
            return removable(function);
        }
        QueryDeviceEx whole = (QueryDeviceEx) function;
        return (QueryDeviceEx) (input, attr) -> {
            removal.check("queryDeviceEx");
            whole.queryDeviceEx(input, attr);
            attr.offer(DeviceAttrEx.SEND_OPS_RC, model.operations());
            attr.offer(DeviceAttrEx.DEVICE_TRAITS, model.events() ? 0L : DeviceTraits.NO_COMPLETION_EVENTS);
            attr.offer(DeviceAttrEx.SEND_OPS_UC, 0L);
            attr.offer(DeviceAttrEx.SEND_OPS_UD, model.datagrams() ? QpCreateSendOps.SEND : 0L);
            narrow(attr.origAttr());
        };
    }

    private Object removable(Object function) {
        return Proxy.newProxyInstance(
                function.getClass().getClassLoader(),
                function.getClass().getInterfaces(),
                (proxy, method, arguments) -> {
                    removal.check(method.getName());
                    return call(method, function, arguments);
                });
    }

    private void narrow(DeviceAttr attr) {
        attr.maxQpRdAtom(model.reads()).maxQpInitRdAtom(model.reads());
    }
}
