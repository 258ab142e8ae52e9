/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.hbldv;

/**
 * What a port has. Source: {@code hbldv_query_port}.
 *
 * @param maxNumOfQps most queue pairs
 * @param numAllocatedQps how many there are
 * @param maxAllocatedQpNum the highest number among them
 * @param maxCqSize most bytes of a completion queue
 * @param tellsCollectives whether the library tells the following five; upstream does not, and they are 0
 * @param maxNumOfScaleOutCollQps how many numbers there are for collectives between servers
 * @param maxNumOfCollQps and within
 * @param baseScaleOutCollQpNum the first of those between servers
 * @param baseCollQpNum and within
 * @param collQpsOffset what a number that is reserved on several ports is more on this one
 * @param advanced whether it was set up with {@link HblPortCaps#ADVANCED}
 * @param maxNumOfCqs most completion queues
 * @param maxNumOfUsrFifos most FIFOs
 * @param maxNumOfEncaps most encapsulations
 * @param nicMacroIdx the number of the macro that it is part of
 * @param nicPhysPortIdx its number there
 */
public record HblPortAttr(
        int maxNumOfQps,
        int numAllocatedQps,
        int maxAllocatedQpNum,
        int maxCqSize,
        boolean tellsCollectives,
        int maxNumOfScaleOutCollQps,
        int maxNumOfCollQps,
        int baseScaleOutCollQpNum,
        int baseCollQpNum,
        int collQpsOffset,
        boolean advanced,
        int maxNumOfCqs,
        int maxNumOfUsrFifos,
        int maxNumOfEncaps,
        int nicMacroIdx,
        int nicPhysPortIdx) {}
