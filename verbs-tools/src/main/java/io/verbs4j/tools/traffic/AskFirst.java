/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.tools.traffic;

import io.verbs4j.Context;
import io.verbs4j.DeviceAttrEx;
import io.verbs4j.DeviceTraits;
import io.verbs4j.QpCreateSendOps;
import io.verbs4j.QpType;
import io.verbs4j.tools.base.ToolException;
import io.verbs4j.tools.text.Printable;

/**
 * Refuses a request before it is tried if the device reports that it does not support it. What a device does not report
 * is left to be found out by trying.
 */
public final class AskFirst {
    private final String device;
    private final DeviceAttrEx attr;

    /**
     * Queries an open device.
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
     * Requires operations.
     *
     * @param service transport service
     * @param operation {@link QpCreateSendOps} bits, all of which are required
     * @param instead what the user can do if one is missing, in words; empty if nothing
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
                    + " on queue pairs of type " + type + "; it supports " + QpCreateSendOps.toString(there)
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

    /** Requires shared receive queues. */
    public void sharedReceives() {
        if (attr.origAttr() != null && attr.origAttr().maxSrq() == 0) {
            throw ToolException.notAvailable(device + " has no shared receive queues (max_srq is 0): use rc");
        }
    }

    /** Requires completion events. */
    public void events() {
        if (is(DeviceTraits.NO_COMPLETION_EVENTS)) {
            throw ToolException.notAvailable(device + " has no completion events: leave out -e to poll");
        }
    }

    /**
     * Requires that two processes can open the device.
     *
     * @param instead what the user can do if they can't, in words
     */
    public void twice(String instead) {
        if (is(DeviceTraits.EXCLUSIVE)) {
            throw ToolException.notAvailable(device + " can be opened only once: both sides can't use it. " + instead);
        }
    }

    private boolean is(long trait) {
        return (attr.deviceTraits() & trait) != 0;
    }
}
