/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.hbldv;

import io.verbs4j.provider.gaudi.dv.HblQueries;

/** The limits of a port, returned by {@link HblDv#queryPort}. Source: {@code hbldv_query_port}. */
public final class HblPortAttr extends Answer {
    private final HblQueries.PortValues values;

    HblPortAttr(HblQueries.PortValues values) {
        super(values);
        this.values = values;
    }

    /** {@return the maximum number of queue pairs} */
    public int maxNumOfQps() {
        return values.maxNumOfQps();
    }

    /** {@return the number of queue pairs in use} */
    public int numAllocatedQps() {
        return values.numAllocatedQps();
    }

    /** {@return the highest queue pair number in use} */
    public int maxAllocatedQpNum() {
        return values.maxAllocatedQpNum();
    }

    /** {@return the maximum size of a completion queue in bytes} */
    public int maxCqSize() {
        return values.maxCqSize();
    }

    /** {@return whether the library reports the next five values; upstream does not, and they are 0} */
    public boolean hasCollectives() {
        return values.hasCollectives();
    }

    /** {@return the number of queue pair numbers for collectives between servers} */
    public int maxNumOfScaleOutCollQps() {
        return values.maxNumOfScaleOutCollQps();
    }

    /** {@return the number of queue pair numbers for collectives within the server} */
    public int maxNumOfCollQps() {
        return values.maxNumOfCollQps();
    }

    /** {@return the first number for collectives between servers} */
    public int baseScaleOutCollQpNum() {
        return values.baseScaleOutCollQpNum();
    }

    /** {@return the first number for collectives within the server} */
    public int baseCollQpNum() {
        return values.baseCollQpNum();
    }

    /** {@return the port's offset, to be added to a number that is reserved on several ports} */
    public int collQpsOffset() {
        return values.collQpsOffset();
    }

    /** {@return whether the port was set up with {@link HblPortCaps#ADVANCED}} */
    public boolean advanced() {
        return values.advanced();
    }

    /** {@return the maximum number of completion queues} */
    public int maxNumOfCqs() {
        return values.maxNumOfCqs();
    }

    /** {@return the maximum number of FIFOs} */
    public int maxNumOfUsrFifos() {
        return values.maxNumOfUsrFifos();
    }

    /** {@return the maximum number of encapsulations} */
    public int maxNumOfEncaps() {
        return values.maxNumOfEncaps();
    }

    /** {@return the number of the NIC macro that the port belongs to} */
    public int nicMacroIdx() {
        return values.nicMacroIdx();
    }

    /** {@return the port's number in that macro} */
    public int nicPhysPortIdx() {
        return values.nicPhysPortIdx();
    }
}
