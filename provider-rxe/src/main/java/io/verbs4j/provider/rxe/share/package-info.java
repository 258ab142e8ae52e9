/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * One copy: how two devices of one machine whose processes may read each other move packets and payload without the system's network.
 * For each direction there is a ring of packets in memory that both have mapped; payload that is large stays where it is, and the receiver
 * copies it out of the sender's process. Packets are those of the wire, without an ICRC; what is done with them is {@code packet}'s.
 *
 * <p>How two find each other: a process publishes for each of its addresses, in a folder of its user, its number, a random number and
 * where that lies in its memory ({@link io.verbs4j.provider.rxe.share.Directory}). Who reads it there knows that it is that process, that
 * it lives, and that the system allows reading. The sender makes a ring and tells by a datagram; the receiver looks for itself whether the
 * sender is who has that address, maps the ring and accepts it. Until then, and where anything is in the way, there are packets.
 *
 * <pre>
 * ring (memfd, sealed so that it can't shrink; machine's order of bytes)
 *      0 magic   8 number of the ring   16 bytes of the data
 *     64 state: 0 offered, 1 accepted, 2 ended   72 place              the receiver's
 *    128 tail: bytes ever put in        136 epoch of spans              the sender's
 *    192 head: bytes ever taken out     200 whether a span is copied    the receiver's
 *   4096 data: records one after the other, around the end
 *
 * record, a multiple of 8
 *      0 length of the packet(4)   4 kind: 1 packet, 2 span, 3 nothing more before the end; 256: packets went by the socket before
 *      8 packet, from BTH to where the ICRC would be
 *   span, behind the packet at a multiple of 8: a part of a message that stands for many packets, by where it is
 *      0 epoch   8 bytes   16 pieces   24 address, length of each
 *
 * mailbox (memfd, sealed) of an address
 *      0 magic   64 whether nobody polls and a datagram is to wake who waits
 *     72 whether there are many rings, and who puts something in is to set the bit of its place at 128 and up
 * </pre>
 *
 * <p>Each side keeps its own position and believes the other's only as far as it can be. A record is copied before it is judged. A span is
 * good only in the epoch that it was made in: who takes memory back ({@code deregMr}, a queue pair that ends) begins another one, and
 * waits for a copy that is under way. A span that is no good any more is a packet that was lost.
 *
 * <p>Apart from that, how a process uses memory regions of another one that it has imported: {@link
 * io.verbs4j.provider.rxe.share.ExportedObjects} is the owner's side, {@link io.verbs4j.provider.rxe.share.ImportedProcess} the importer's,
 * and {@link io.verbs4j.provider.rxe.share.ExportLayout} what they have in common. An importer writes to the owner's memory itself; the two
 * sides meet as follows, where each step is seen by the other side when the next one begins:
 *
 * <pre>
 *   importer                                owner
 *   note the entry as being written to      set the entry to 0
 *   is the entry as it was? write           while an importer has noted it: wait
 *   take the note back
 * </pre>
 *
 * <p>Reads are not noted: the importer looks at the entry once more behind each.
 */
package io.verbs4j.provider.rxe.share;
