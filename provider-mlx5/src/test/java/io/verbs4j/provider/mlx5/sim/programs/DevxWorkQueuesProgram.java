/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.mlx5.sim.programs;

import static io.verbs4j.provider.mlx5.sim.programs.DirectVerbsProgram.refused;

import io.verbs4j.CompletionQueue;
import io.verbs4j.Context;
import io.verbs4j.Errno;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.RwqIndTable;
import io.verbs4j.RwqIndTableInitAttr;
import io.verbs4j.WorkQueue;
import io.verbs4j.WqInitAttr;
import io.verbs4j.mlx5dv.Devx;
import io.verbs4j.mlx5dv.DevxOpcode;
import io.verbs4j.mlx5dv.Mailbox;
import io.verbs4j.rdmacore.sim.Check;

/**
 * A program for a simulated device: work queues and indirection tables through DevX. A work queue can be queried. The
 * simulated device has no DevX object for tables, so the program checks that the call arrives there, and what is
 * refused earlier. Prints {@code done workQueues}.
 */
public final class DevxWorkQueuesProgram {
    private DevxWorkQueuesProgram() {}

    public static void main(String... args) {
        try (Context context = Mlx5Rig.open("mlx5_0", args[1]);
                ProtectionDomain pd = context.allocPd();
                CompletionQueue cq = context.createCq(8)) {
            Devx devx = context.vendor(Devx.class);
            WorkQueue wq =
                    context.createWq(new WqInitAttr().pd(pd).cq(cq).maxWr(4).maxSge(1));
            RwqIndTable table = context.createRwqIndTable(new RwqIndTableInitAttr().indTbl(wq));
            Mailbox in = new Mailbox(16).opcode(DevxOpcode.QUERY_RQ).put(0x48, 24, wq.wqNum());
            Mailbox out = new Mailbox(272);
            devx.query(wq, in, out);
            Check.equal(2, out.getInt(0x280 + 0x11b, 5), "log of the receives");
            refused(Errno.EINVAL, "mlx5dv_devx_wq_modify", () -> devx.modify(wq, in, out));
            refused(Errno.EINVAL, "mlx5dv_devx_ind_tbl_query", () -> devx.query(table, in, out));
            refused(Errno.EINVAL, "mlx5dv_devx_ind_tbl_modify", () -> devx.modify(table, in, out));
            table.close();
            refused(Errno.EINVAL, "table", () -> devx.query(table, in, out));
            wq.close();
            refused(Errno.EINVAL, "wq", () -> devx.modify(wq, in, out));
        }
        System.out.println("done workQueues");
    }
}
