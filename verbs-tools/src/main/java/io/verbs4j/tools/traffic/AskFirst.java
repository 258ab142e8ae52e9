/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.tools.traffic;

import io.verbs4j.Context;
import io.verbs4j.DeviceAttrEx;
import io.verbs4j.DeviceTraits;
import io.verbs4j.QpCreateSendOps;
import io.verbs4j.QpType;
import io.verbs4j.tools.base.ToolException;
import io.verbs4j.tools.text.Printable;

/** Says that a device can't do what is asked of it before anything is tried. What a device does not tell is left to be seen. */
public final class AskFirst {
    private final String device;
    private final DeviceAttrEx attr;

    /**
     * Asks an open device.
     *
     * @param context the device
     */
    public AskFirst(Context context) {
        this(Printable.of(context.device().name()), context.queryDeviceEx());
    }

    AskFirst(String device, DeviceAttrEx attr) {
        this.device = device;
        this.attr = attr;
    }

    /**
     * An operation is needed.
     *
     * @param service transport service
     * @param operation {@link QpCreateSendOps} bits, all of which are needed
     * @param instead what to do where it is missing, in words; empty where there is nothing
     */
    public void operation(Service service, long operation, String instead) {
        int field = field(service.qpType());
        if (!attr.has(field)) {
            return;
        }
        long there = attr.sendOps(service.qpType());
        String type = service == Service.SRD ? "SRD" : QpType.toString(service.qpType());
        if (there == 0) {
            throw ToolException.notAvailable(device + " has no queue pairs of type " + type);
        }
        if ((operation & ~there) != 0) {
            throw ToolException.notAvailable(device + " has no " + QpCreateSendOps.toString(operation & ~there)
                    + " on queue pairs of type " + type + "; what it has: " + QpCreateSendOps.toString(there)
                    + (instead.isEmpty() ? "" : ". " + instead));
        }
    }

    private static int field(int qpType) {
        return switch (qpType) {
            case QpType.RC -> DeviceAttrEx.SEND_OPS_RC;
            case QpType.UC -> DeviceAttrEx.SEND_OPS_UC;
            case QpType.UD -> DeviceAttrEx.SEND_OPS_UD;
            default -> DeviceAttrEx.SEND_OPS_DRIVER;
        };
    }

    /** Shared receive queues are needed. */
    public void sharedReceives() {
        if (attr.origAttr() != null && attr.origAttr().maxSrq() == 0) {
            throw ToolException.notAvailable(device + " has no shared receive queues (max_srq is 0): use rc");
        }
    }

    /** Waiting for events is needed. */
    public void events() {
        if (is(DeviceTraits.NO_COMPLETION_EVENTS)) {
            throw ToolException.notAvailable(device + " has no completion events: leave out -e, and it is polled");
        }
    }

    /**
     * The device is to be opened by two processes.
     *
     * @param instead what to do where it can't, in words
     */
    public void twice(String instead) {
        if (is(DeviceTraits.EXCLUSIVE)) {
            throw ToolException.notAvailable(device + " is open once at a time: both sides can't have it. " + instead);
        }
    }

    private boolean is(long trait) {
        return (attr.deviceTraits() & trait) != 0;
    }
}
