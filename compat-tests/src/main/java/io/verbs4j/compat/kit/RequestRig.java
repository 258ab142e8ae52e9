/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.kit;

import io.verbs4j.DeviceAttrEx;
import io.verbs4j.DeviceCap;
import io.verbs4j.Errno;
import io.verbs4j.FlushType;
import io.verbs4j.QpCreateSendOps;
import io.verbs4j.QpInitAttrEx;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.WcStatus;
import io.verbs4j.WrOpcode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Operations of level 3, and the files and pages that they work on. See {@link RequestRules}. */
class RequestRig extends Rig {
    static final int NO_LEVEL = 9;

    RequestRig(ProviderKit kit) {
        super(kit);
    }

    /** {@return a new file of this many bytes, deleted when the test ends} */
    Path file(int bytes) throws IOException {
        Path path = Files.createTempFile("kit", ".bin");
        opened(() -> Files.deleteIfExists(path));
        Files.write(path, new byte[bytes]);
        return path;
    }

    /** Posts a request of {@code a} that must fail where it arrives; both sides must be recreated afterwards. */
    void fails(SendWorkRequest wr, int... statuses) {
        a.post(wr);
        a.next(wr.wrId(), statuses);
    }

    /** Posts a request of {@code a} that is wrong in itself: it must be refused or fail. */
    void refusedOrFails(String what, SendWorkRequest wr, int... statuses) {
        int errno = a.qp.postSend(wr);
        if (errno != 0) {
            Seen.errno("postSend of " + what, Errno.EINVAL, errno);
        } else {
            a.next(wr.wrId(), statuses);
        }
    }

    void atCreation(long bit, boolean stated, String where) {
        QpInitAttrEx with = QpInitAttrEx.of(a.pd, a.qpInit()).sendOpsFlags(bit);
        if (stated) {
            opened(a.context.createQpEx(with));
        } else {
            Seen.refuses(
                    "createQpEx with sendOpsFlags " + QpCreateSendOps.toString(bit) + where,
                    () -> opened(a.context.createQpEx(with)),
                    Errno.EOPNOTSUPP);
        }
    }

    void cap(DeviceAttrEx attr, Capability capability, long bit) {
        Seen.check(
                !has(capability) || (attr.deviceCapFlagsEx() & bit) != 0,
                capability.label() + " is declared, but deviceCapFlagsEx of queryDeviceEx lacks "
                        + DeviceCap.toString(bit));
    }

    SendWorkRequest atomicWrite(long wrId, int offset, long value) {
        return a.to(b, offset, a.wr(WrOpcode.ATOMIC_WRITE, wrId)).atomicWriteValue(value);
    }

    void startFlushing(int qpRights, int regionRights) {
        start(s -> {
            s.access |= qpRights;
            s.regionAccess |= regionRights;
        });
    }

    SendWorkRequest flush(long wrId, int offset, long length, int level) {
        return a.to(b, offset, a.wr(WrOpcode.FLUSH, wrId))
                .flushType(FlushType.GLOBAL)
                .flushLevel(level)
                .flushLength(length);
    }

    /** Posts a flush of an unknown level, which the post or the other side must refuse. */
    void unknownLevel(SendWorkRequest wr) {
        int errno = a.qp.postSend(wr);
        if (errno != 0) {
            Seen.errno("postSend of a flush of level " + NO_LEVEL, Errno.EOPNOTSUPP, errno);
        } else {
            a.next(wr.wrId(), WcStatus.REM_INV_REQ_ERR);
        }
    }
}
