/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package com.example.collective;

import io.verbs4j.CompletionQueue;
import io.verbs4j.Context;
import io.verbs4j.CqInitAttrEx;
import io.verbs4j.DeviceTraits;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.QueuePair;
import io.verbs4j.hbldv.HblCqInitAttr;
import io.verbs4j.hbldv.HblDv;
import io.verbs4j.hbldv.HblQpAttr;
import io.verbs4j.hbldv.HblQpCaps;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Gaudi: each port has completion queues of its own, and where the library can, the queue pairs with a peer have one
 * number on all ports, which is reserved for that. So whoever posts, as the accelerator's own engines do, knows them
 * all by one.
 */
final class GaudiFabric extends OrdinaryFabric {
    private static final long PATIENCE_SECONDS = 180;

    private final HblDv hbl;
    private final boolean collective;

    GaudiFabric(Context context) {
        super(context);
        hbl = context.vendor(HblDv.class);
        collective = (context.queryDeviceEx().deviceTraits() & DeviceTraits.COLLECTIVES) != 0;
    }

    /** Whether a device is one. */
    static boolean isOn(Context context) {
        return HblDv.isSupported(context.device());
    }

    @Override
    CompletionQueue queue(int port) {
        return context.createCqEx(new CqInitAttrEx().cqe(4 * DEPTH).vendor(new HblCqInitAttr().portNum(port)));
    }

    @Override
    public List<QueuePair> queuePairs(ProtectionDomain pd) {
        if (!collective) {
            return super.queuePairs(pd);
        }
        List<CompletionQueue> queues = queues(); // so all ports are set up
        int number = hbl.reserveCollQps(pd, true, 0, PATIENCE_SECONDS, TimeUnit.SECONDS);
        List<QueuePair> made = new ArrayList<>();
        for (int i = 0; i < queues.size(); i++) {
            int port = ports().get(i);
            int here = number + hbl.queryPort(port).collQpsOffset();
            made.add(create(pd, queues.get(i)));
            made.get(i)
                    .modify(initial(port)
                            .vendor(new HblQpAttr().caps(HblQpCaps.COLL).qpNumHint(here)));
        }
        return made;
    }

    @Override
    public String numbers(List<QueuePair> qps) {
        if (!collective) {
            return super.numbers(qps);
        }
        List<Integer> distinct = new ArrayList<>();
        for (int i = 0; i < qps.size(); i++) {
            int number = qps.get(i).qpNum() - hbl.queryPort(ports().get(i)).collQpsOffset();
            if (!distinct.contains(number)) {
                distinct.add(number);
            }
        }
        return "collective number " + distinct + " on " + qps.size() + " ports";
    }
}
