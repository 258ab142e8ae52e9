/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/* Who the device says it is. Initialisers of struct sim_vendor. */
    .name = "efa",
    .device_name = "efa_%d",
    .modalias = "pci:v00001D0Fd%08Xsv00001D0Fsd%08Xbc02sc00i00",
    .driver_id = RDMA_DRIVER_EFA,
    .abi_version = 1,
    .first_port = 1,
    .vendor_id = 0x1d0f,
    .pci_vendor = 0x1d0f,
    .pci_class = 0x020000,
    .driver = "efa",
    .configure = efa_configure,
    .node_type = 7, /* unspecified */
    .own_fabric = true,
    .bare = true,
    .qp_types = SIM_TYPE(IB_UVERBS_QPT_UD) | SIM_TYPE(IB_UVERBS_QPT_DRIVER),
