/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.kit.model;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** The faults of the model: for each rule of the kit, one that breaks it and no other. */
// Longer than 500 lines because it is a table with a constant for each fault, and an enum is one file.
public enum Fault {
    /** It is not registered. */
    NOT_REGISTERED("R1.01", "is not among the registered providers []"),
    /** Its name contains forbidden letters. */
    NAME_WITH_CAPITALS("R1.02", "name() is Model!"),
    /** It reports a level other than its own. */
    LEVEL_TOO_LOW("R1.03", "level() is 1, but an ExtendedProvider has at least level 2"),
    /** It needs a library of level 0. */
    MINIMUM_ZERO("R1.04", "minimumLibraryLevel() is 0"),
    /** Its list contains null. */
    NULL_DEVICE("R1.05", "devices() contains null"),
    /** It creates new devices at each call. */
    NEW_INSTANCES("R1.06", "the second call returned another instance of model0"),
    /** It works alone, but the library sets it aside. */
    LIBRARY_REFUSES("R1.07", "the library does not use the provider: devices() failed with"),
    /** It uses the context while the context is being created. */
    USES_CONTEXT("R1.08", "openDevice used a context"),
    /** It assumes that the library is as new as itself. */
    NEEDS_WHOLE_TABLE("R1.09", "with a table of 0 slots"),
    /** It puts an object of the wrong type into a slot. */
    WRONG_SLOT_TYPE("R1.10", "the slot of get_srq_num has a java.lang.String"),
    /** It puts an object of the wrong type into the last slot that it fills. */
    WRONG_LAST_SLOT("R1.10", "the slot of dm_export_dmabuf_fd has a java.lang.String"),
    /** It creates thread domains, but cannot destroy them. */
    TD_FOR_EVER("R1.10", "alloc_td is set without dealloc_td"),
    /** It allocates device memory, but cannot free it. */
    DM_FOR_EVER("R1.10", "alloc_dm is set without free_dm"),
    /** It ignores unknown bits. */
    IGNORES_UNKNOWN_BITS(
            "R1.11 R13.07 R18.08 R24.13 R24.15 R27.05", "bit 30 in its mask, which no level defines, was accepted"),
    /** Its objects have methods of their own. */
    OWN_NAMES("R1.12", "isClosed()"),
    /** Its objects' classes have static methods of their own. */
    OWN_STATICS("R1.12", "of(Context)"),
    /** Its objects inherit methods from an interface. */
    OWN_INTERFACES("R1.12", "Named.name()"),
    /** It accepts unknown attributes. */
    ANY_ATTRIBUTE("R1.13", "modify_qp with bit 26 in its mask, which no level defines, was accepted"),
    /** It refuses optional bits, which it must ignore. */
    OPTIONAL_BIT_REFUSED("R1.14 R13.07 R18.08 R19.05 R19.07 R24.13 R24.15", "EOPNOTSUPP"),
    /** It does not report a limit. */
    NO_REGION_SIZE("R2.01", "maxMrSize is 0"),
    /** Its port stays down. */
    PORT_DOWN("R2.02", "the state of port 1 is down, not active"),
    /** Its second port reports nonsense. */
    SECOND_PORT_MTU("R2.02", "activeMtu of port 2 is 0; it must be at least 1"),
    /** It returns a P_Key that does not exist. */
    ANY_PKEY("R2.03", "queryPkey(1, 1) was accepted"),
    /** It returns a P_Key that its second port does not have. */
    SECOND_PORT_ANY_PKEY("R2.03", "queryPkey(2, 1) was accepted"),
    /** Its GID changes at each query. */
    CHANGING_GID("R2.04 R13.03", "the GID was"),
    /** Its second port has no GID. */
    SECOND_PORT_NO_GID("R2.04", "the GID of port 2 is zero"),
    /** It accepts queues beyond its limit. */
    ANY_CQ_SIZE("R2.05", "was accepted; it must fail with EINVAL or ENOMEM"),
    /** It provides less than requested. */
    ROUNDS_DOWN("R2.06 R22.29", "cap().maxSendWr after createQp is 4; it must be at least 5"),
    /** It provides more than requested, but does not report it. */
    QP_TELLS_LESS("R2.06 R22.29", "cap().maxSendWr of query is 6, not 5"),
    /** It accepts queue pairs beyond its limit. */
    ANY_QP_SIZE("R2.07", "was accepted; it must fail with EINVAL or ENOMEM"),
    /** It assigns a number twice. */
    SAME_NUMBER("R2.08", "two queue pairs have the number"),
    /** It registers more than requested. */
    WHOLE_BUFFER("R2.09", "length() of a region of a part of a buffer is 65536, not 200"),
    /** Closing one context closes the device. */
    CLOSES_ALL("R2.10", "ENODEV"),
    /** It cannot destroy unused queue pairs. */
    KEEPS_QUEUE_PAIRS("R2.11 R19.02 R19.03 R19.04", "in round 1 of 64"),
    /** Its author forgot to declare a capability. */
    HIDDEN_UD("R2.12 R2.13 R13.08", "the verb of Capability.UD,"),
    /** Its author declared a capability that it lacks. */
    STATED_RESIZE("R2.13 R10.08", "Capability.RESIZE_CQ"),
    /** It reports an unknown operation as invalid instead of unsupported. */
    UNKNOWN_OPCODE_EINVAL("R2.14 R22.24", "postSend of operation 99 returned 22 (EINVAL), not 95 (EOPNOTSUPP)"),
    /** It grants unknown access rights. */
    ANY_RIGHT("R2.15", "regMr with bit 19, which no level defines, was accepted"),
    /** It refuses optional bits, which it must ignore. */
    OPTIONAL_RIGHT_REFUSED("R2.16", "EOPNOTSUPP"),
    /** It creates queue pairs of unknown types. */
    ANY_TYPE("R2.17", "createQp of type 77, which no level defines, was accepted"),
    /** It reports an unknown type as invalid instead of unsupported. */
    UNKNOWN_TYPE_EINVAL("R2.17", "failed with EINVAL"),
    /** It reports an unknown type as invalid instead of unsupported. */
    VENDOR_EINVAL("R2.18", "failed with EINVAL"),
    /** It accepts unknown attributes when opened. */
    ANY_OPEN_ATTR("R2.19", "was accepted; it must fail with EOPNOTSUPP"),
    /** It ignores another vendor's attributes. */
    IGNORES_VENDOR_ATTRIBUTES("R2.21", "createQp with vendor attributes"),
    /** It can be opened only once, but does not report it. */
    OPENS_ONCE("R2.22", "(Capability.SEVERAL_CONTEXTS is declared) failed with EBUSY"),
    /** Its keys give access to other regions. */
    KEY_OPENS_OTHERS("R7.13", "(Capability.REGION_KEYS is declared) is success"),
    /** It reports that it can be opened only once, which is wrong. */
    TELLS_EXCLUSIVE("R13.08", "bit EXCLUSIVE in deviceTraits of queryDeviceEx"),
    /** It accepts operations that it lacks. */
    ANY_SEND_OPS("R2.20 R22.28", "was accepted; it must fail with EOPNOTSUPP"),
    /** It creates queue pairs in another state. */
    MADE_IN_INIT("R3.01 R22.25", "the state after createQp is"),
    /** It does not leave state ERR. */
    STAYS_IN_ERR("R3.02 R22.26", "the state after modify to RESET is"),
    /** It does not report what was set. */
    FORGETS_PSN("R3.03", "rqPsn is 0, not 1193046"),
    /** It does not report how a queue pair was created. */
    FORGETS_SIG_ALL("R3.04", "sqSigAll is false, not true"),
    /** It accepts sends too early. */
    SENDS_IN_INIT("R3.05 R21.10 R22.25 R24.03", "postSend in state INIT returned 0, not 22 (EINVAL)"),
    /** It accepts receives too late. */
    NO_RECEIVES_IN_INIT("R3.06 R22.25 R24.03", "postRecv in state INIT returned 22 (EINVAL), not 0"),
    /** It flushes requests that it should forget. */
    RESET_FLUSHES("R3.07", "unexpected completion (wrId 1"),
    /** It accepts a port that does not exist. */
    ANY_PORT("R3.08 R24.03", "modify to INIT with port 3 was accepted"),
    /** It loses a byte at the end of a packet. */
    LOSES_LAST_BYTE("R4.01 R21.01", "byte 1023 of 1024"),
    /** It does not report the queue pair of a completion. */
    NO_QP_NUM("R4.02 R12.04 R22.01 R22.27", "qpNum of the send is 0"),
    /** It reverses the bytes of immediate data. */
    SWAPS_IMMEDIATE("R4.03 R21.11 R22.04", "immData is 0xbebafeca, not 0xcafebabe"),
    /** A message overtakes another. */
    OVERTAKES("R4.04 R17.07", "byteLen of message 0 is 1001, not 1000"),
    /** It gathers the elements in another order. */
    GATHERS_BACKWARDS("R4.05 R21.03", "byte 0 of 3000"),
    /** It reads inline data when it sends, not when it is posted. */
    INLINE_LATER("R4.06 R21.04 R22.06", "byte 0 of 32"),
    /** It signals unsignaled requests. */
    SIGNALS_ALL("R4.07 R16.07 R21.05", "wrId of the completion is 1, not 2"),
    /** It does not signal requests that it must signal. */
    IGNORES_SIGNAL_ALL("R4.08 R21.05", "no completion in"),
    /** It returns the wrong errno. */
    FULL_RECEIVES_EINVAL(
            "R4.09 R22.29", "postRecv of one request more than fits returned 22 (EINVAL), not 12 (ENOMEM)"),
    /** It returns the wrong errno. */
    FULL_SENDS_EAGAIN(
            "R4.10 R21.08 R22.13", "postSend of one request more than fits returned 11 (EAGAIN), not 12 (ENOMEM)"),
    /** It throws where it must return an errno. */
    THROWS("R4.11", "NullPointerException"),
    /** It returns completions in another order. */
    POLLS_BACKWARDS("R4.12", "wrId of completion 1 is"),
    /** It does not wait for a receiver. */
    IMPATIENT("R4.13", "although no receive was posted for it"),
    /** Its second port transfers nothing. */
    SECOND_PORT_LOSES("R4.14", "port 2"),
    /** It writes to the wrong address. */
    WRITES_BESIDE("R5.01 R16.04 R16.06 R18.02 R18.03 R22.07", "byte 0 of 5000"),
    /** It does not report the length. */
    WRITE_WITHOUT_LENGTH("R5.02 R21.11 R22.09", "byteLen is 0, not 2000"),
    /** It reads from the wrong address. */
    READS_BESIDE("R5.03 R22.08", "byte 0 of 5000"),
    /** It adds in the wrong byte order. */
    ATOMICS_SWAPPED("R5.04 R21.12", "40 + 2 in the memory is"),
    /** It loses all packets but the first. */
    UC_ONE_PACKET("R6.01", "byteLen is 1024, not 3000"),
    /** It waits for an answer that never comes. */
    UC_WAITS("R6.02", "no completion in"),
    /** It drops writes. */
    UC_NO_WRITE("R6.03", "byte 0 of 3000"),
    /** It changes a datagram. */
    UD_CORRUPT("R6.04 R21.15", "byte 0 of 200"),
    /** It does not report the GRH. */
    UD_NO_GRH_FLAG("R6.05", "wcFlags lacks GRH"),
    /** It accepts datagrams with another Q_Key. */
    UD_ANY_QKEY("R6.06", "byteLen of the first message that arrived is 50, not 51"),
    /** It accepts datagrams without an address. */
    UD_NO_ADDRESS("R6.07 R21.15", "postSend without an address handle returned 0, not 22 (EINVAL)"),
    /** It reports an operation that the type lacks as invalid instead of unsupported. */
    UD_WRITE_EINVAL("R6.07 R21.09", "postSend of an RDMA write returned 22 (EINVAL), not 95 (EOPNOTSUPP)"),
    /** It accepts a port that does not exist. */
    AH_ANY_PORT("R6.08", "createAh with port 3 was accepted"),
    /** It does not detach. */
    STAYS_ATTACHED("R6.09", "after the queue pair was detached"),
    /** It does not check keys. */
    ANY_LOCAL_KEY("R7.01 R17.09 R22.23", "the status of completion 1 is"),
    /** It checks keys only for some operations. */
    WRITES_ANY_LOCAL_KEY("R7.01 R22.23", "RDMA_WRITE"),
    /** It checks keys only for some operations. */
    READS_ANY_LOCAL_KEY("R7.01 R17.09 R22.23", "RDMA_READ"),
    /** It reads beyond the region. */
    NO_LOCAL_BOUNDS("R7.02", "the status of completion 1 is"),
    /** It checks bounds only for some operations. */
    WRITES_NO_LOCAL_BOUNDS("R7.02", "RDMA_WRITE"),
    /** It checks bounds only for some operations. */
    READS_NO_LOCAL_BOUNDS("R7.02", "RDMA_READ"),
    /** It does not check domains. */
    ANY_DOMAIN("R7.03 R19.01", "the status of completion 1 is"),
    /** It checks domains only for some operations. */
    WRITES_ANY_DOMAIN("R7.03 R19.01", "RDMA_WRITE"),
    /** It reads deregistered memory. */
    NEVER_DEREGISTERS("R7.04 R17.08", "the status of completion 1 is"),
    /** It checks keys only for some operations. */
    READS_INTO_CLOSED("R7.04", "RDMA_READ"),
    /** It reports the wrong error. */
    REMOTE_KEY_STATUS(
            "R7.05 R14.02 R14.03 R14.11 R14.12 R17.02 R17.08 R21.13 R22.20 R22.21", "the status of completion 1 is"),
    /** It reports the wrong error. */
    REMOTE_BOUNDS_STATUS(
            "R7.06 R16.03 R16.05 R18.02 R18.03 R18.04 R21.19 R22.20 R22.21 R7.13", "the status of completion 1 is"),
    /** It does not check the region's access rights. */
    NO_REGION_RIGHTS("R7.07 R14.05 R16.03 R16.05 R16.06 R16.10 R17.04 R22.20 R22.21", "the status of completion 1 is"),
    /** It does not check the queue pair's access rights. */
    NO_QP_RIGHTS("R7.08 R16.03 R16.05 R16.10", "the status of completion 1 is"),
    /** It writes beyond the receive. */
    WRITES_TOO_MUCH("R7.09 R22.05 R22.17", "the byte at offset 99 was changed"),
    /** It writes to read-only memory. */
    WRITES_READ_ONLY("R7.10", "the status of completion 1 is"),
    /** It gives access beyond the window. */
    NO_WINDOW_BOUNDS("R7.11", "the status of completion 2 is"),
    /** It reads into read-only memory. */
    READS_INTO_READ_ONLY("R7.12", "the status of completion 1"),
    /** It uses shared receives in another order. */
    SRQ_BACKWARDS("R8.01 R25.02 R25.03 R25.04 R25.07", "wrId of the completion is 2, not 1"),
    /** It returns the wrong errno. */
    SRQ_FULL_EINVAL("R8.02", "postRecv of one request more than fits returned 22 (EINVAL), not 12 (ENOMEM)"),
    /** It accepts receives that are never used. */
    SRQ_AND_OWN("R8.03", "postRecv to the queue pair returned 0, not 22 (EINVAL)"),
    /** It does not report a capacity. */
    SRQ_NO_SGE("R8.04", "maxSge of query is 0; it must be at least 1"),
    /** It provides more than requested, but does not report it. */
    SRQ_TELLS_LESS("R8.04", "maxWr of query is 6, not 5"),
    /** It does not report that a queue runs low. */
    NO_LIMIT_EVENT("R8.05", "no event"),
    /** It does not report the last request. */
    NO_LAST_EVENT("R8.06", "no event"),
    /** It creates the event one completion late. */
    EVENT_LATE("R9.01 R9.08 R9.09 R22.11", "no event although a completion followed"),
    /** It creates more events than requested. */
    STAYS_ARMED("R9.02 R22.11", "unexpected event for the second completion"),
    /** It creates events without a request. */
    EVENT_UNASKED("R9.03", "unexpected event without reqNotify"),
    /** It creates events for unsolicited messages. */
    ALL_SOLICITED("R9.04", "unexpected event for an unsolicited receive"),
    /** It does not wake a waiting thread. */
    NEVER_WAKES("R9.05", "the wait has not ended"),
    /** It ignores interrupts. */
    IGNORES_INTERRUPT("R9.06", "the wait has not ended"),
    /** Closing waits until events are acknowledged. */
    CQ_WAITS_FOR_ACK("R9.07", "close has not returned"),
    /** It wakes only threads that wait already. */
    WAKE_IS_LOST("R9.08", "the wait has not ended"),
    /** A poll without waiting uses up a wakeup. */
    LOOK_TAKES_WAKE("R9.08", "the wait has not ended"),
    /** It delays an event that follows a wakeup. */
    WAKE_BEFORE_EVENT("R9.08", "no event before a wakeup"),
    /** It counts every wakeup. */
    WAKE_COUNTED("R9.08", "a wait ended without a wakeup"),
    /** It runs an action only once. */
    ACTION_ONCE("R9.09", "the action has not run for event"),
    /** It runs an action only for later events. */
    ACTION_FOR_LATER("R9.09", "the action has not run for an event that was pending before"),
    /** It continues to run a removed action. */
    ACTION_STAYS("R9.09", "the action ran after it was removed"),
    /** It does not flush. */
    NO_FLUSH("R10.01 R22.26 R24.03", "no completion in"),
    /** It refuses requests that it should flush. */
    REFUSES_IN_ERR("R10.02", "postRecv returned 22 (EINVAL), not 0"),
    /** It does not report failed requests that are unsignaled. */
    FLUSHES_SIGNALED_ONLY("R10.03", "no completion in"),
    /** It waits forever. */
    WAITS_FOR_EVER("R10.04 R22.16", "no completion in"),
    /** It serves a closed handle. */
    POLLS_CLOSED("R10.05", "poll after close returned 0, not -22 (-EINVAL)"),
    /** It keeps completions of destroyed queue pairs. */
    KEEPS_COMPLETIONS("R10.06 R22.27", "of a queue pair that was destroyed"),
    /** It loses completions without reporting it. */
    SILENT_OVERRUN("R10.07", "no event"),
    /** It loses completions. */
    RESIZE_LOSES("R10.08", "no completion in"),
    /** Closing waits until events are acknowledged. */
    WAITS_FOR_ASYNC_ACK("R10.09", "close has not returned"),
    /** It ignores the number of the shared receive queue. */
    FIRST_SRQ("R11.01 R21.16", "wrId of the completion is 1, not 2"),
    /** It reports another number each time. */
    SRQ_NUMBER_CHANGES("R11.02", "srqNum() queried again is"),
    /** It does not share domains. */
    FILE_IGNORED("R11.03", "no completion in"),
    /** It ignores a flag. */
    EXCL_IGNORED("R11.04", "openXrcd with EXCL of an existing domain was accepted"),
    /** It opens queue pairs that do not exist. */
    OPENS_ANY_QP("R11.05", "openQp of a number that no queue pair has was accepted"),
    /** It does not support ordinary queue pairs beside XRC. */
    XRC_ONLY("R11.06", "EOPNOTSUPP"),
    /** It provides more than requested, but does not report it. */
    XRC_SRQ_TELLS_LESS("R11.07", "maxWr of query is 6, not 5"),
    /** It reports an operation that the type lacks as invalid instead of unsupported. */
    XRC_POSTS_EINVAL("R11.08", "returned 22 (EINVAL), not 95 (EOPNOTSUPP)"),
    /** It reports another length when completions are read one by one. */
    LAZY_LENGTH("R12.01 R22.12", "the list of completions by nextPoll"),
    /** It starts polling twice. */
    STARTS_TWICE("R12.02 R12.08", "a second startPoll in the same thread returned 0"),
    /** It lets a thread poll while another reads. */
    POLLS_INSIDE("R12.02 R12.07", "before endPoll"),
    /** It accepts unknown completion flags. */
    ANY_WC_FLAG("R12.03", "createCqEx with wcFlags bit 50 was accepted"),
    /** It reads fields that were not requested. */
    READS_UNASKED("R12.04", "readByteLen() on a queue created without it was accepted"),
    /** Its time stamps go backwards. */
    TIME_GOES_BACK("R12.05", "earlier than"),
    /** It reports more fields than the caller knows. */
    IGNORES_SIZE_OF_POLL("R12.05", "for a caller that knows no field"),
    /** It reports a time stamp for failed requests. */
    FAILED_HAVE_TIME("R12.05", "compMask() of a failed completion is 1, not 0"),
    /** It provides less than requested. */
    FEWER_ENTRIES("R12.06", "cqe() of createCqEx is 36; it must be at least 37"),
    /** It lets a thread wait forever for a reading thread. */
    WAITS_FOR_READER("R12.07", "of a queue that another thread reads has not returned after a second"),
    /** It reports a queue that another thread reads as empty. */
    BUSY_IS_EMPTY("R12.07", "returned 0, not 16 (EBUSY)"),
    /** It keeps values of an earlier poll. */
    KEEPS_STALE("R12.09", "compMask() after poll without a size is 3, not 0"),
    /** It ties reading to one thread although any thread may continue. */
    READS_BY_THREAD("R12.08", "a call in another thread failed"),
    /** Its clock goes backwards. */
    CLOCK_GOES_BACK("R13.01", "but was"),
    /** It reports other limits in the extended query. */
    LENGTHY_LIES("R13.02", "fwVer, maxQp"),
    /** It reports the wrong port. */
    GID_OF_ANOTHER_PORT("R13.03", "portNum and gidIndex is [1, 0], not [2, 0]"),
    /** Its table lacks a port. */
    GIDS_OF_ONE_PORT("R13.03", "the table does not contain port 2"),
    /** It ignores a flag. */
    ANY_ORDER_FLAG("R13.04", "queryDataInOrder with flag bit 20"),
    /** It accepts more than it reports. */
    ANY_MODERATION("R13.05", "modify with a count of 101"),
    /** It accepts more than it reports. */
    ANY_RATE("R13.06", "modifyRateLimit of 3000000001"),
    /** It reports the wrong kind of completion. */
    INVALIDATES_AS_BIND(
            "R14.01 R14.02 R14.08 R14.09 R17.01 R17.02 R17.03 R21.13", "the opcode of the completion of LOCAL_INV"),
    /** A window keeps an invalidated key. */
    KEY_STAYS_OPEN("R14.02 R21.13", "the status of completion 1 is"),
    /** It checks only the index of keys. */
    ANY_TAG("R14.02 R21.13", "the status of completion 1 is"),
    /** It does not check the queue pair of a window. */
    ANY_QP_THROUGH_WINDOW("R14.03", "the status of completion 1 is"),
    /** It gives access beyond the window. */
    NO_TYPE_2_BOUNDS("R14.04", "the status of completion 2 is"),
    /** It grants all access rights of the region. */
    NO_TYPE_2_RIGHTS("R14.05", "the status of completion 2 is"),
    /** It binds to any key. */
    ANY_WINDOW_KEY("R14.06", "a bind to a key that differs from the window's above the low 8 bits returned 0"),
    /** It binds a bound window again. */
    BINDS_BOUND("R14.07", "the status of a bind of a window that is bound"),
    /** It keeps the key of a failed bind. */
    KEEPS_FAILED_KEY("R14.07 R14.10", "the window's key after a bind of a window that is bound"),
    /** It invalidates keys of other queue pairs. */
    INVALIDATES_ANYWHERE("R14.08", "LOCAL_INV succeeded on another queue pair than the window is bound on"),
    /** It does not keep the order. */
    INVALIDATES_EARLY("R14.09 R17.07", "the status of completion 12 is"),
    /** It reports both window types. */
    BOTH_WINDOW_TYPES("R14.10", "it must have MEM_MGT_EXTENSIONS, and one of"),
    /** It does not check domains. */
    BINDS_FOREIGN("R14.10", "the status of a bind of another domain's window"),
    /** It gives access through a closed window. */
    CLOSED_WINDOW_OPEN("R14.11", "the status of completion 1 is"),
    /** It does not report an invalidated key. */
    NO_INV_FLAG("R14.12 R21.13", "wcFlags of the receive"),
    /** It invalidates keys that are not in use. */
    SEND_INV_ANY("R14.13", "the receive completed successfully"),
    /** It ignores unknown bits of completion queues. */
    IGNORES_CQ_BITS("R13.07", "createCqEx with bit 30 in its mask, which no level defines, was accepted"),

    // ---- more of level 3

    /** It does not report an operation. */
    NOP_NOT_TOLD("R16.01", "bit NOP in sendOpsRc of queryDeviceEx"),
    /** It writes in the wrong byte order. */
    ATOMIC_WRITE_SWAPPED("R16.02 R21.18", "the value of an atomic write"),
    /** It does not check the alignment of the address. */
    ATOMIC_WRITE_ANYWHERE("R16.03", "the status of completion 1 is"),
    /** It does not check access rights. */
    ATOMIC_WRITE_NO_RIGHTS("R16.03", "the status of completion 1 is"),
    /** It reports the wrong operation. */
    FLUSH_TELLS_WRITE("R16.04 R21.19", "opcode is RDMA_WRITE, not FLUSH"),
    /** It checks the range although the whole region is flushed. */
    FLUSH_MR_HAS_RANGE("R16.04 R21.19", "the status of completion 3 is"),
    /** It accepts an unknown level. */
    FLUSH_ANY_LEVEL("R16.05", "the status of completion 1 is"),
    /** It does not check access rights. */
    FLUSH_NO_RIGHTS("R16.05", "the status of completion 1 is"),
    /** It accepts volatile memory as persistent. */
    PERSISTENT_ANYTHING("R16.06", "regMr with FLUSH_PERSISTENT of memory that is not a mapped file was accepted"),
    /** It does not check access rights. */
    PERSISTENT_NO_RIGHTS("R16.06", "the status of completion 3 is"),
    /** It signals unsignaled requests. */
    NOP_ALWAYS_SIGNALED("R16.07", "wrId of the completion is 2, not 3"),
    /** It compares all bits. */
    MASKED_COMPARES_ALL("R16.08 R21.17", "of a masked compare and swap"),
    /** It swaps all bits. */
    MASKED_SWAPS_ALL("R16.08 R21.17", "of a masked compare and swap"),
    /** It carries from one field into the next. */
    MASKED_CARRIES("R16.09 R21.17", "of a masked fetch and add"),
    /** It does not check the alignment of the address. */
    MASKED_ANYWHERE("R16.10", "the status of completion 1 is"),
    /** It does not check access rights. */
    MASKED_NO_RIGHTS("R16.10", "the status of completion 1 is"),
    /** It swaps the pieces where they meet. */
    KEY_PIECES_BACKWARDS("R17.01", "the memory where two pieces meet: byte 0 of 6 is not as sent"),
    /** It keeps the key the third time. */
    KEY_KEEPS_NUMBER("R17.01 R17.07", "rkey() of the region after REG_MR is"),
    /** It gives access to invalidated memory. */
    OLD_KEYS_OPEN("R17.02", "the status of completion 2 is"),
    /** It registers memory for a key that has some already. */
    REGISTERS_TWICE("R17.03", "the status of completion 1 is"),
    /** It invalidates a key without memory. */
    INVALIDATES_FREE("R17.03", "the status of completion 2 is"),
    /** It grants all access rights. */
    KEY_NO_RIGHTS("R17.04", "the status of completion 2 is"),
    /** It gives access beyond the pieces. */
    KEY_NO_BOUNDS("R17.04", "the status of completion 3 is"),
    /** It makes read-only pieces writable. */
    KEY_READ_ONLY_PIECES("R17.05", "REG_MR accepted an invalid piece"),
    /** It accepts another domain's memory. */
    KEY_FOREIGN_PIECES("R17.05", "REG_MR accepted an invalid piece"),
    /** It accepts any key. */
    KEY_ANY_NUMBER(
            "R17.06", "postSend of REG_MR to a key that differs from the region's above the low 8 bits returned 0"),
    /** It accepts any number of pieces. */
    KEY_ANY_COUNT("R17.06", "postSend of REG_MR of one piece more"),
    /** It invalidates a key when posted, before its turn. */
    INVALIDATES_AT_POST("R17.07", "the status of completion"),
    /** It gives access through a closed key. */
    CLOSED_KEYS_OPEN("R17.08", "the status of completion 2 is"),
    /** It does not report the key. */
    READ_TELLS_NO_KEY("R17.09 R21.14", "wcFlags is"),
    /** It gives access through a key that a read invalidated. */
    READ_KEEPS_KEY("R17.09", "the status of completion"),
    /** It accepts two elements. */
    READS_INTO_TWO("R17.10", "postSend of RDMA_READ_WITH_INV with two elements returned 0"),
    /** It invalidates a key that cannot be invalidated. */
    READS_INTO_ANY("R17.10", "the status of completion 3 is"),
    /** It does not report an access right. */
    ZERO_BASED_NOT_TOLD("R18.01", "ZERO_BASED in mrAccessFlags"),
    /** It ignores the requested address. */
    IOVA_IGNORED("R18.02", "addr() of regMrEx with iova is"),
    /** It ignores the offset in the file. */
    FILE_OFFSET_IGNORED("R18.03", "the file: byte 0 of 5000"),
    /** It returns the wrong errno. */
    NO_DESCRIPTOR_EINVAL("R18.03", "failed with EINVAL"),
    /** It counts from the memory's address instead of 0. */
    ZERO_IS_NOT_FIRST("R18.04", "addr() of a region with ZERO_BASED is"),
    /** It reads ones from a region without memory. */
    NOTHING_IS_ONES("R18.05", "byte 0 read from a null region is"),
    /** It refuses advice. */
    NO_FAULT_REFUSED("R18.06", "EINVAL"),
    /** It does not check the bounds. */
    ADVISES_BEYOND("R18.07", "adviseMr beyond the region was accepted"),
    /** It does not check the domain. */
    ADVISES_FOREIGN("R18.07", "adviseMr of another domain's region was accepted"),
    /** It ignores unknown bits of device memory. */
    IGNORES_DM_BITS("R18.08", "allocDm with a mask bit that no level defines was accepted"),
    /** It returns the wrong errno. */
    DM_BEYOND_EINVAL("R18.09", "copyTo beyond the end returned 22 (EINVAL), not 14 (EFAULT)"),
    /** It ignores the offset in the memory. */
    DM_OFFSET_IGNORED("R18.10", "the device's memory: byte 0 of 128"),
    /** It treats a parent domain as a different domain. */
    PARENT_IS_FOREIGN("R19.01", "the status of completion 1 is"),
    /** It cannot free thread domains. */
    TD_NEVER_FREED("R19.02", "it can't"),
    /** It does not use the allocator. */
    RINGS_OF_ITS_OWN("R19.03 R19.04", "the allocator was not called"),
    /** It does not free what it allocated. */
    RINGS_KEPT("R19.03 R19.04", "the number of allocations that were not freed is"),
    /** It frees what it did not allocate. */
    RINGS_FREE_DEFAULT("R19.03", "free of an address that was not allocated"),
    /** It returns the wrong errno. */
    RINGS_EINVAL("R19.04", "failed with EINVAL"),
    /** It lets the allocator's exceptions through. */
    RINGS_THROW("R19.04", "an allocator that throws"),
    /** It accepts unknown flags. */
    ANY_CREATE_FLAG("R19.05", "createQpEx with createFlags bit 20, which no level defines, was accepted"),
    /** It refuses a hint. */
    HINT_REFUSED("R19.07", "createQpEx with optional flag bit 29"),
    /** It refuses optional bits, which it must ignore. */
    CQ_HINT_REFUSED("R19.07", "createCqEx with optional flag bit 29"),
    /** It receives its own multicasts. */
    HEARS_ITSELF("R19.06", "of a multicast that the queue pair sent itself"),
    /** Each wait counts from the beginning. */
    WAITS_FROM_THE_BEGINNING("R20.01", "of the second wait"),
    /** It enables all requests. */
    ENABLES_ALL("R20.02 R21.21", "of the second request of a managed send queue"),
    /** It uses receives too early. */
    RECEIVES_UNMANAGED("R20.03", "of a managed receive queue that is not enabled yet"),
    /** It does not wait for its own queue. */
    WAITS_FOR_OTHERS("R20.04", "no completion in"),
    /** It waits for nothing. */
    WAITS_FOR_NOTHING("R20.05", "postSend of a wait without a queue returned 0"),
    /** It enables queues that are not managed. */
    ENABLES_UNMANAGED("R20.05", "SEND_ENABLE of a queue pair that is not managed returned 0"),
    /** It loses a waiting request. */
    WAITS_UNFLUSHED("R20.06", "wrId of the completion is 2, not 1"),
    /** In a batch, it sends one byte too few. */
    BUILT_CUTS("R21.01", "byte 1023 of 1024"),
    /** It posts a batch in reverse order. */
    BUILT_BACKWARDS("R21.02 R21.12 R21.20 R21.21", "wrId of the completion is 5, not 3"),
    /** It posts a batch before earlier requests. */
    BUILT_OVERTAKES("R21.02", "wrId of the completion is"),
    /** In a batch, it sends only the first element. */
    BUILT_ONE_PIECE("R21.03", "byte 2000 of 3000"),
    /** In a batch, it sends the elements of the first request for each. */
    BUILT_PIECES_OF_FIRST("R21.03 R21.06 R21.23", "byte 0 of 3000"),
    /** In a batch, it reads inline data when it sends. */
    BUILT_INLINE_LATER("R21.04", "byte 0 of 32"),
    /** In a batch, it accepts inline data of any length. */
    BUILT_INLINE_ANY_LENGTH("R21.04", "inline bytes, more than the room for"),
    /** All requests of a batch have the flags of the first. */
    BUILT_FLAGS_OF_FIRST("R21.05 R21.22", "no completion in"),
    /** It signals all requests of a batch. */
    BUILT_SIGNALS_ALL("R21.05", "wrId of the completion is 1, not 2"),
    /** It drops the solicited flag of messages of a batch. */
    BUILT_UNSOLICITED("R21.22", "no event although"),
    /** It posts the requests before a bad one, but reports that it posted none. */
    BUILT_HIDES_FIRST("R21.06 R21.23", "of a request that posted() did not count"),
    /** It posts previously refused requests with the next batch. */
    BUILT_KEEPS_REFUSED("R21.06 R21.08", "wrId of the completion is"),
    /** It refuses a batch without an error. */
    BUILT_REFUSES_SILENTLY("R21.06 R21.23", "pieces returned 0, not 22 (EINVAL)"),
    /** It reads beyond the batch. */
    BUILT_ONE_MORE("R21.07", "of an aborted batch, after a later one"),
    /** It returns the wrong errno. */
    BUILT_FULL_EAGAIN("R21.08", "returned 11 (EAGAIN), not 12 (ENOMEM)"),
    /** It posts what fits, but reports that it posted nothing. */
    BUILT_FULL_HIDES("R21.08", "complete of a batch of 4 returned 12 (ENOMEM), not 0"),
    /** It does not use all of its room. */
    BUILT_FULL_EARLY("R21.08", "complete of a batch of 4 returned 12 (ENOMEM), not 0"),
    /** It returns the wrong errno. */
    BUILT_UNKNOWN_EINVAL("R21.09", "returned 22 (EINVAL), not 95 (EOPNOTSUPP)"),
    /** It sends a write as a message. */
    BUILT_UD_WRITES("R21.09", "of type UD does not support, returned 0"),
    /** It refuses what is posted in state ERR. */
    BUILT_IN_ERR_EINVAL("R21.10", "complete in state ERR returned 22 (EINVAL), not 0"),
    /** It accepts a batch too early. */
    BUILT_EARLY("R21.10", "a request in state INIT returned 0"),
    /** All requests of a batch have the immediate data of the first. */
    BUILT_IMMEDIATE_OF_FIRST("R21.11", "immData of 2 is"),
    /** It reverses the bytes of immediate data. */
    BUILT_SWAPS_IMMEDIATE("R21.11", "immData of 1 is"),
    /** All atomics of a batch have an operand of the first. */
    BUILT_OPERAND_OF_FIRST("R21.12", "the memory after both is"),
    /** It binds a window to another part of the region. */
    BUILT_BINDS_FROM_START("R21.13", "the status of completion 11 is"),
    /** It does not send the key to invalidate. */
    BUILT_SENDS_KEEP_KEY("R21.13", "wcFlags lacks WITH_INV"),
    /** It registers memory without its access rights. */
    BUILT_KEY_READ_ONLY("R21.14", "the status of completion 2 is"),
    /** It registers only the first piece. */
    BUILT_KEY_ONE_PIECE("R21.14", "the status of completion 2 is"),
    /** It reads without invalidating the key. */
    BUILT_READS_KEEP_KEY("R21.14", "invalidatedRkey is"),
    /** It sends all datagrams of a batch to the address of the first. */
    BUILT_ADDRESS_OF_FIRST("R21.15 R22.10", "no completion in"),
    /** It accepts a datagram without an address. */
    BUILT_NO_ADDRESS("R21.15", "a datagram without an address returned 0"),
    /** All requests of a batch go to the same shared receive queue. */
    BUILT_SRQ_OF_FIRST("R21.16", "no completion in"),
    /** It accepts a message without a shared receive queue. */
    BUILT_NO_SRQ("R21.16", "names no shared receive queue returned 0"),
    /** All masked atomics of a batch have a mask of the first. */
    BUILT_MASK_OF_FIRST("R21.17", "the memory after the sum is"),
    /** All atomic writes of a batch write the value of the first. */
    BUILT_VALUE_OF_FIRST("R21.18", "the second value is"),
    /** All flushes of a batch are of the level of the first. */
    BUILT_FLUSH_OF_FIRST("R21.19", "the status of completion 2 is"),
    /** It does not report a no-op. */
    BUILT_NOP_LOST("R21.20", "wrId of the completion is 2, not 1"),
    /** All waits of a batch are as long as the first. */
    BUILT_COUNT_OF_FIRST("R21.21", "no completion in"),
    /** It posts the requests before a refused one. */
    BUILT_AS_LIST("R21.23", "whose request 1 of 4 was refused is 1, not 0"),
    /** A refused bind changes the window's key. */
    BUILT_REFUSED_BINDS("R21.23", "rkey() of the window after a batch that was refused is"),
    /** It delivers a message twice. */
    SRD_TWICE("R22.01", "message 7 arrived twice"),
    /** It loses a message, but reports success. */
    SRD_LOSES("R22.01", "no completion in"),
    /** It reports the status of another request. */
    SRD_STATUS_OF_BEFORE("R22.02", "the status of completion"),
    /** It sends all messages to the peer of the first. */
    SRD_FIRST_PEER("R22.03", "no completion in"),
    /** It does not report the sender. */
    SRD_NO_SENDER("R22.03 R22.12", "srcQp of 1 is 0"),
    /** It mixes up immediate data. */
    SRD_IMMEDIATE_OF_LAST("R22.04", "immData is cafe"),
    /** It sends only the first element. */
    SRD_ONE_PIECE("R22.05", "byteLen is 700, not 800"),
    /** It cuts inline data. */
    SRD_INLINE_CUT("R22.06", "byteLen is 16, not 32"),
    /** It loses a write, but reports success. */
    SRD_WRITE_LOST("R22.07", "byte 0 of 1"),
    /** It loses a read, but reports success. */
    SRD_READ_LOST("R22.08", "byte 0 of 1"),
    /** It reports a write as a message. */
    SRD_WRITE_AS_SEND("R22.09", "opcode is"),
    /** All datagrams of a batch have the Q_Key of the first. */
    BUILT_QKEY_OF_FIRST("R22.10", "no completion in"),
    /** It creates no completion events. */
    SRD_NO_EVENT("R22.11", "no event although a message followed"),
    /** It reports another sender when completions are read one by one. */
    SRD_LAZY_SENDER("R22.12", "srcQp is"),
    /** It accepts more requests than fit. */
    SRD_FULL_TAKES("R22.13", "postSend of one request more than fits returned 0, not 12 (ENOMEM)"),
    /** An error of one message fails the queue pair. */
    SRD_FAILS_QP("R22.14 R22.02", "the status of completion"),
    /** A message waits for earlier ones. */
    SRD_HOLDS_UP("R22.15", "no completion in"),
    /** It reports the wrong error. */
    SRD_RNR_STATUS("R22.16", "the status of completion 1 is"),
    /** An error of one message fails the receiver. */
    SRD_SHORT_FAILS_PEER("R22.17", "status is"),
    /** It accepts messages with another Q_Key. */
    SRD_ANY_QKEY("R22.18", "the status of completion 2 is"),
    /** It sends messages beyond its limit. */
    SRD_NO_LONGEST("R22.19", "the status of completion 2 is"),
    /** It writes before it checks the end. */
    SRD_WRITES_WHAT_FITS("R22.20", "was changed"),
    /** It does not check the access right for reads. */
    SRD_READS_ANY_RIGHT("R22.21", "the status of an access of a region without the right is"),
    /** It waits until the peer has an address handle. */
    SRD_WAITS_FOR_WAY("R22.22", "no completion in"),
    /** It reports the wrong error. */
    SRD_LOCAL_KEY_STATUS("R22.23", "the status of completion 1 is"),
    /** It accepts messages without an address. */
    SRD_NO_ADDRESS("R22.24 R22.10", "postSend without an address handle returned 0, not 22 (EINVAL)"),
    /** It accepts a fence although it keeps no order. */
    SRD_FENCES("R22.24", "postSend with FENCE returned 0"),
    /** It does not report what was set. */
    SRD_FORGETS_QKEY("R22.25", "qkey of query is 0"),
    /** It does not flush all. */
    SRD_FLUSHES_ONE("R22.26", "no completion in"),
    /** It drops the completions of other queue pairs. */
    SRD_DROPS_ALL("R22.27", "no completion in"),
    /** It accepts operations that it lacks. */
    SRD_PROMISES_ATOMICS("R22.28", "was accepted; it must fail with EOPNOTSUPP"),
    /** It provides less than requested. */
    SRD_FEWER_RECEIVES("R22.29", "postRecv of request 5 returned 12 (ENOMEM), not 0"),

    // ---- level 4

    /** It gives an imported region another key. */
    IMPORTS_OTHER_KEYS("R23.01 R23.03", "lkey() of an imported region is"),
    /** Unimporting deregisters another context's region. */
    UNIMPORT_DEREGISTERS("R23.02", "the status of completion 1 is"),
    /** Imported regions outlive the original. */
    IMPORTS_OUTLIVE("R23.03", "the status of completion 2 is"),
    /** It accepts any number as a descriptor. */
    IMPORTS_ANY_FD("R23.04", "open with a descriptor that does not exist was accepted"),
    /** It imports domains that do not exist. */
    IMPORTS_ANY_PD("R23.04", "importPd of a number that no domain has was accepted"),
    /** It does not check imported domains. */
    IMPORTED_PD_ANY_DOMAIN("R23.05", "the status of completion 1 is"),
    /** It gives the importer a copy of the memory. */
    IMPORTS_COPY_OF_DM("R23.06", "the value copied to imported memory is"),
    /** It sends no more than 1500 bytes of a frame. */
    FRAME_CUT("R24.01", "byteLen is 1500, not 1514"),
    /** It sends only the first element of a frame. */
    FRAME_FIRST_PIECE("R24.01", "byteLen of a frame in two pieces is 40, not 242"),
    /** It keeps frames for which there was no receive. */
    FRAMES_WAIT("R24.02", "byteLen is 143, not 145"),
    /** It sends frames too early. */
    RAW_SENDS_IN_RTR("R24.03", "postSend in state RTR returned 0, not 22 (EINVAL)"),
    /** It fills in the checksums of UDP, but not those of TCP. */
    CHECKSUMS_OF_UDP("R24.04 R24.06", "the TCP checksum is wrong"),
    /** It reports all checksums as correct. */
    CHECKSUMS_ALWAYS_RIGHT("R24.04", "wcFlags has IP_CSUM_OK although the checksum is wrong"),
    /** It leaves the VLAN tag in the frame. */
    VLAN_STAYS("R24.05", "byteLen is 78, not 74"),
    /** It reports the number of a VLAN without the priority. */
    VLAN_NUMBER_ALONE("R24.05", "cvlan is 291, not 24867"),
    /** It does not report the VLAN tag when completions are read one by one. */
    VLAN_LAZY("R24.05", "readCvlan() is 0, not 24867"),
    /** Its segments all have the number of the first. */
    TSO_SAME_NUMBER("R24.06", "the sequence number is 7000, not 8000"),
    /** It accepts headers that are too long. */
    TSO_ANY_HEADER("R24.06", "with a header longer than maxTsoHeader returned 0, not 22 (EINVAL)"),
    /** A mask bit makes all bits of its byte count. */
    FLOW_MASKS_WHOLE("R24.07", "no completion in"),
    /** It ignores the source address of a frame. */
    FLOW_ANY_SOURCE("R24.07", "a frame arrived that the filter srcMac does not match"),
    /** It treats TCP as UDP. */
    FLOW_TCP_IS_UDP("R24.07", "a frame arrived that the filter dstPort of TCP does not match"),
    /** The newest flow gets all frames. */
    FLOW_NEWEST_FIRST("R24.08 R24.12", "no completion in"),
    /** It steers by closed flows. */
    FLOW_STAYS("R24.09 R24.07 R24.08 R24.11", "byteLen is 94, not 95"),
    /** Closing one flow closes all flows of the queue pair. */
    FLOW_CLOSES_ALL("R24.09 R24.11", "no completion in"),
    /** It reports no flow tags. */
    FLOW_NO_TAG("R24.10", "flowTag is 0, not 17"),
    /** It does not report tags when completions are read one by one. */
    FLOW_LAZY_TAG("R24.10", "readFlowTag() is 0, not 17"),
    /** It does not drop. */
    FLOW_DROP_PASSES("R24.11", "byteLen is 92, not 93"),
    /** It ignores the index of counters. */
    COUNTERS_NO_INDEX("R24.12", "the counter of packets is 429, not 3"),
    /** It counts only frames of the first flow. */
    COUNTERS_OF_ONE_FLOW("R24.12", "the counter of packets is 2, not 3"),
    /** It accepts a port that does not exist. */
    FLOW_ANY_PORT("R24.13", "createFlow of port 3 was accepted"),
    /** It creates flows with unknown flags. */
    FLOW_ANY_FLAG("R24.13", "createFlow with flag bit 20, which no level defines, was accepted"),
    /** It accepts unknown counter descriptions. */
    COUNTERS_ANYTHING("R24.13", "attach of a counter that no level defines was accepted"),
    /** It does not report TSO. */
    TELLS_NO_TSO("R24.14", "tsoMaxTso != 0"),
    /** It accepts receives too early. */
    WQ_TAKES_IN_RESET("R24.15", "postRecv in state RESET returned 0, not 22 (EINVAL)"),
    /** It returns the wrong errno. */
    WQ_FULL_EINVAL("R24.15", "postRecv of one request more than fits returned 22 (EINVAL), not 12 (ENOMEM)"),
    /** It does not flush. */
    WQ_NO_FLUSH("R24.15", "no completion in"),
    /** It creates work queues with unknown flags. */
    WQ_ANY_FLAG("R24.15", "createWq with flag bit 20, which no level defines, was accepted"),
    /** It uses the high bits of the hash. */
    RSS_HIGH_BITS("R24.16 R24.17", "the list of table entries that frames took is"),
    /** It uses its work queues in turn. */
    RSS_BY_TURNS("R24.16 R24.17", "the list of table entries that frames took is"),
    /** It leaves ports out of the hash. */
    RSS_WITHOUT_PORTS("R24.16", "the list of table entries that frames took is"),
    /** It hashes all fields that it knows. */
    RSS_ALL_FIELDS("R24.17", "the list of table entries that frames took is"),
    /** All bits of a tag count. */
    TAGS_WHOLE("R25.01 R25.02 R25.03", "wrId is 0, not 2"),
    /** It does not report tags when completions are read one by one. */
    TAGS_LAZY_INFO("R25.01", "the tag of readTmInfo is 0"),
    /** The newest buffer takes the message. */
    TAGS_LAST_FIRST("R25.02 R25.03", "wrId is 3, not 1"),
    /** It counts messages without a tag. */
    TAGS_COUNT_ALL("R25.03", "wcFlags is TM_SYNC_REQ, not 0"),
    /** Buffers match as soon as they are added. */
    TAGS_AT_ONCE("R25.04", "wrId is 2, not 1"),
    /** It reports deleting a buffer that was gone already. */
    TAGS_DELETE_NONE("R25.05", "status of TAG_DEL is success, not TM error"),
    /** It does not delete buffers. */
    TAGS_STAY("R25.05 R25.06", "wrId is 1, not 2"),
    /** It returns the wrong errno. */
    TAGS_FULL_EINVAL("R25.06", "postSrqOps of TAG_ADD to a full list returned 22 (EINVAL), not 12 (ENOMEM)"),
    /** It signals all operations. */
    TAGS_ALL_SIGNALED("R25.07", "wrId is 11, not 12"),
    /** It continues after a refused operation. */
    TAGS_GO_ON("R25.07", "wrId is 14, not 0"),
    /** It does not report the end of a long message. */
    TAGS_NO_END("R25.08 R25.09", "no completion in"),
    /** It reports the length of a long message with its header. */
    TAGS_LONG_LENGTH("R25.08", "byteLen is 1940, not 1924"),
    /** It does not notify the sender that it has read. */
    TAGS_NO_FIN("R25.09", "no completion in"),
    /** It does not report that it matches tags. */
    TELLS_NO_TAGS("R25.10", "tmFlags lacks RC"),
    /** It forgets what was set. */
    ECE_FORGETS("R25.11", "the options after setEce is"),
    /** It accepts options of any vendor. */
    ECE_ANY_VENDOR("R25.11", "setEce of another vendor was accepted"),
    /** It counts only signaled requests. */
    COUNTS_SIGNALED("R26.01", "read() of the counter of sends is 1, not 3"),
    /** It counts no receives. */
    COUNTS_NO_RECEIVES("R26.01 R26.04", "read() of the counter of receives is 0, not 3"),
    /** It counts none of the peer's requests. */
    COUNTS_NOTHING_REMOTE("R26.02 R26.03", "read() of the counter of the peer's requests is 0, not 2"),
    /** It counts reads as writes. */
    COUNTS_READS_AS_WRITES("R26.03", "read() of the counter of requests is 0, not 2"),
    /** It counts failures as successes. */
    COUNTS_FAILURES("R26.04", "read() of the counter of flushed requests is 2, not 0"),
    /** It uses one number instead of two. */
    COUNTER_ONE_NUMBER("R26.01 R26.02 R26.03 R26.04 R26.05", "readErr() of the counter of sends is 3, not 0"),
    /** It lets closed counters be read. */
    COUNTER_READ_CLOSED("R26.05", "read() of a closed counter was accepted"),
    /** It accepts what it does not count. */
    COUNTS_ANYTHING("R26.06", "attachCompCntr of 0x"),
    /** Its buffers are not aligned to pages. */
    BUF_ANYWHERE("R27.01", "addr() modulo a page is 8, not 0"),
    /** Every piece of a buffer is its beginning. */
    BUF_PIECES_AGAIN("R27.01 R27.03", "byte 0 of buffer(4097, 4096) is"),
    /** It registers a copy of the buffer. */
    BUF_IS_COPIED("R27.02 R27.03", "the buffer: byte 0 of 128 is not as sent"),
    /** A region of a part covers the beginning instead. */
    BUF_PART_IS_FIRST("R27.03", "the part: byte 0 of 64 is not as sent"),
    /** It ignores the memory if there are hints. */
    HINTS_LOSE_MEMORY("R27.04", "the memory: byte 0 of 64 is not as sent"),
    /** It accepts hints that it does not know. */
    ANY_HINTS("R27.05", "allocDmah with bit 30 in its mask, which no level defines, was accepted");

    /** The length of the accesses that {@link #KEY_OPENS_OTHERS} affects. */
    static final int OTHER_BYTES = 40;

    /** The system property that selects a fault. */
    public static final String PROPERTY = "io.verbs4j.compat.kit.fault";

    /** Read when the class is loaded: each run of the kit loads the model again. */
    private static final String CHOSEN = System.getProperty(PROPERTY, "");

    /** The rule that it is meant to break. */
    public final String rule;

    /** More rules that it breaks unavoidably. */
    @SuppressWarnings("ImmutableEnumChecker") // List.of is immutable, but its type does not show it
    private final List<String> others;

    /** What the kit then reports. */
    public final String words;

    Fault(String rules, String words) {
        List<String> all = List.of(rules.split(" "));
        rule = all.get(0);
        others = all.subList(1, all.size());
        this.words = words;
    }

    /** {@return all rules that it breaks} */
    public Set<String> rules() {
        Set<String> all = new TreeSet<>(others);
        all.add(rule);
        return all;
    }

    /** Whether the model has this fault. */
    public boolean on() {
        return name().equals(CHOSEN);
    }
}
