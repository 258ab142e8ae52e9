/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/* Who the device says it is: a Gaudi2. Initialisers of struct sim_vendor. */
    .name = "hbl",
    .device_name = "hbl_%d",
    .modalias = "pci:v00001DA3d%08Xsv00001DA3sd%08Xbc12sc00i00",
    .driver_id = 21, /* of the driver as it was submitted; newer kernels gave the number to another one */
    .abi_version = 1,
    .vendor_id = 0x1da3,
    .pci_vendor = 0x1da3,
    .pci_class = 0x120000,
    .driver = "habanalabs",
    .part_id = 0x1020,
    .node_type = 7, /* unspecified */
    .bare = true,
    .no_regions = true,
    .mtu_8192 = true,
    .counts_from_zero = true,
    .first_port = 0,
    .node = "/dev/accel/accel%d",
    .configure_port = hbl_configure_port,
    .qp_types = SIM_TYPE(IB_UVERBS_QPT_RC),
