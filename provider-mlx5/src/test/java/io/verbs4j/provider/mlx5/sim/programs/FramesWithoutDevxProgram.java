/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.mlx5.sim.programs;

import static io.verbs4j.provider.mlx5.sim.programs.DirectVerbsProgram.refused;
import static io.verbs4j.rdmacore.sim.Check.require;

import io.verbs4j.CompletionQueue;
import io.verbs4j.Context;
import io.verbs4j.ContextSlot;
import io.verbs4j.CqInitAttrEx;
import io.verbs4j.Errno;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.QpCap;
import io.verbs4j.QpInitAttr;
import io.verbs4j.QpType;
import io.verbs4j.WcExFlags;
import io.verbs4j.WqInitAttr;

/** A program for a simulated device without DevX: frames are refused on Java's data path. */
public final class FramesWithoutDevxProgram {
    private static final String WORDS = "-Dio.verbs4j.mlx5.path=native";

    private FramesWithoutDevxProgram() {}

    public static void main(String... args) {
        try (Context context = Mlx5Rig.open("mlx5_0", "java");
                ProtectionDomain pd = context.allocPd();
                CompletionQueue cq = context.createCq(8)) {
            require(!context.queryContext().hasVerb(ContextSlot.CREATE_WQ), "work queues are offered");
            refused(
                    Errno.EOPNOTSUPP,
                    "create_wq",
                    () -> context.createWq(
                            new WqInitAttr().pd(pd).cq(cq).maxWr(4).maxSge(1)));
            refused(
                    Errno.EOPNOTSUPP,
                    WORDS,
                    () -> pd.createQp(new QpInitAttr()
                            .qpType(QpType.RAW_PACKET)
                            .sendCq(cq)
                            .recvCq(cq)
                            .cap(new QpCap()
                                    .maxSendWr(4)
                                    .maxSendSge(1)
                                    .maxRecvWr(4)
                                    .maxRecvSge(1))));
            refused(
                    Errno.EOPNOTSUPP,
                    WORDS,
                    () -> context.createCqEx(
                            new CqInitAttrEx().cqe(8).wcFlags(WcExFlags.STANDARD | WcExFlags.FLOW_TAG)));
        }
        System.out.println("no frames");
    }
}
