lane_id/LOGICAL_WARP;__syncwarp(member_mask)
